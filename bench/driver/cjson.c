/* Parses JSON documents by cJSON, one in each line of standard input: looks values up, makes and applies the patch from
 * the line before, and prints counts and a hash of everything printed. */
#include <stdio.h>
#include <stdlib.h>

#include <cJSON.h>
#include <cJSON_Utils.h>

static unsigned long long hash_of(const char *s, unsigned long long h)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211ULL;
    return h;
}

/* Numbers anywhere inside. */
static double sum_of(const cJSON *value)
{
    double sum = cJSON_IsNumber(value) ? value->valuedouble : 0;
    const cJSON *child;

    cJSON_ArrayForEach(child, value) sum += sum_of(child);
    return sum;
}

static void fail(const char *what, unsigned long line)
{
    fprintf(stderr, "cjson: line %lu: %s\n", line, what);
    exit(3);
}

int main(void)
{
    cJSON *before = NULL;
    unsigned long lines = 0, operations = 0, found = 0;
    unsigned long long hash = 1;
    double sum = 0;
    char *line = NULL;
    size_t space = 0;

    while (getline(&line, &space, stdin) > 0) {
        cJSON *value = cJSON_Parse(line);
        char *text;

        lines++;
        if (!value)
            fail("no JSON", lines);
        sum += sum_of(value);
        found += cJSON_HasObjectItem(value, "ONLY SOMETIMES");
        found += cJSONUtils_GetPointer(value, "/nested/more/list/2/0") != NULL;
        text = cJSON_PrintUnformatted(value);
        hash = hash_of(text, hash);
        cJSON_free(text);
        if (before) {
            /* Of copies, because it sorts members and leaves lists that cannot be changed. */
            cJSON *from = cJSON_Duplicate(before, 1), *to = cJSON_Duplicate(value, 1);
            cJSON *patch = cJSONUtils_GeneratePatches(from, to);

            cJSON_Delete(from);
            cJSON_Delete(to);
            operations += (unsigned long)cJSON_GetArraySize(patch);
            if (cJSONUtils_ApplyPatches(before, patch) != 0 ||
                !cJSON_Compare(before, value, 1))
                fail("the patch is wrong", lines);
            text = cJSON_Print(patch);
            hash = hash_of(text, hash);
            cJSON_free(text);
            cJSON_Delete(patch);
            cJSON_Delete(before);
        }
        before = value;
    }
    cJSON_Delete(before);
    free(line);
    printf("%lu %lu %lu %.17g %016llx\n", lines, operations, found, sum, hash);
    return 0;
}

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Said once, before anything is told: the one thing here that is not handed from caller to caller. */
static char *(*teller)(const char *linkage);

void trod_told_by(char *(*tell)(const char *linkage))
{
    teller = tell;
}

static bool is_plain(const char *name)
{
    return *name && !trod_has_controls(name);
}

/* The caller frees it. NULL: there is no other name than this. */
static char *other_name(const char *name)
{
    char *told = teller ? teller(name) : NULL;

    if (told && (!is_plain(told) || strcmp(told, name) == 0)) {
        free(told);
        return NULL;
    }
    return told;
}

bool trod_put_other(struct trod_sink *sink, const char *name)
{
    char *told = other_name(name);
    bool other = told;

    if (told)
        sink->put(sink, told, strlen(told));
    free(told);
    return other;
}

void trod_put_told(struct trod_sink *sink, const char *name)
{
    if (!trod_put_other(sink, name))
        trod_put_name(sink, name);
}

void trod_json_told(struct trod_json *json, const char *key, const char *name)
{
    char *told = other_name(name), other[64];

    trod_json_text(json, key, name);
    if (told) {
        snprintf(other, sizeof other, "%s_told", key);
        trod_json_text(json, strcmp(key, "function") == 0 ? "told" : other, told);
    }
    free(told);
}

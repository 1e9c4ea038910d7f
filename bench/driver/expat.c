/* Parses an XML document from standard input by expat: prints how often each callback was called, and a hash of what
 * the callbacks received. */
#include <stdio.h>
#include <string.h>

#include <expat.h>

enum { start, end, text, instruction, comment, section, space, kinds };

struct seen {
    unsigned long count[kinds];
    unsigned long long hash;
};

static void mix(struct seen *seen, int kind, const char *s, size_t length)
{
    unsigned long long h = seen->hash + (unsigned long long)kind + length;

    if (length > 0)
        h += 256ULL * (unsigned char)s[0] + 65536ULL * (unsigned char)s[length - 1];
    seen->hash = h * 6364136223846793005ULL + 1442695040888963407ULL;
}

static void count(void *data, int kind, const char *s, size_t length)
{
    struct seen *seen = data;

    seen->count[kind]++;
    mix(seen, kind, s, length);
}

static void on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    count(data, start, name, strlen(name));
    for (; *attributes; attributes++)
        mix(data, start, *attributes, strlen(*attributes));
}

static void on_end(void *data, const XML_Char *name)
{
    count(data, end, name, strlen(name));
}

static void on_text(void *data, const XML_Char *s, int length)
{
    count(data, text, s, (size_t)length);
}

static void on_instruction(void *data, const XML_Char *target, const XML_Char *s)
{
    (void)target;
    count(data, instruction, s, strlen(s));
}

static void on_comment(void *data, const XML_Char *s)
{
    count(data, comment, s, strlen(s));
}

static void on_section(void *data)
{
    count(data, section, "", 0);
}

static void on_space(void *data, const XML_Char *prefix, const XML_Char *uri)
{
    (void)prefix;
    count(data, space, uri, strlen(uri));
}

int main(void)
{
    XML_Parser parser = XML_ParserCreateNS(NULL, ' ');
    struct seen seen = {{0}, 0};
    static char buffer[1 << 16];
    size_t n;

    if (!parser)
        return 5;
    XML_SetUserData(parser, &seen);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetProcessingInstructionHandler(parser, on_instruction);
    XML_SetCommentHandler(parser, on_comment);
    XML_SetStartCdataSectionHandler(parser, on_section);
    XML_SetStartNamespaceDeclHandler(parser, on_space);
    /* Otherwise hash tables differ from run to run. */
    XML_SetHashSalt(parser, 1);
    do {
        n = fread(buffer, 1, sizeof buffer, stdin);
        if (XML_Parse(parser, buffer, (int)n, n < sizeof buffer) != XML_STATUS_OK) {
            fprintf(stderr, "%lu: %s\n",
                (unsigned long)XML_GetCurrentLineNumber(parser),
                XML_ErrorString(XML_GetErrorCode(parser)));
            return 3;
        }
    } while (n == sizeof buffer);
    XML_ParserFree(parser);
    for (int i = 0; i < kinds; i++)
        printf("%lu ", seen.count[i]);
    printf("%016llx\n", seen.hash);
    return 0;
}

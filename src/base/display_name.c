#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set once, before anything is printed. This is the only global state of src/base. */
static char *(*demangler)(const char *linkage);

void trod_set_demangler(char *(*demangle)(const char *linkage))
{
    demangler = demangle;
}

static bool is_plain(const char *name)
{
    return *name && !trod_has_controls(name);
}

/* The demangled name, which the caller frees; NULL if it does not differ. */
static char *other_name(const char *name)
{
    char *demangled = demangler ? demangler(name) : NULL;

    if (demangled && (!is_plain(demangled) || strcmp(demangled, name) == 0)) {
        free(demangled);
        return NULL;
    }
    return demangled;
}

bool trod_put_demangled(struct trod_sink *sink, const char *name)
{
    char *demangled = other_name(name);
    bool other = demangled;

    if (demangled)
        sink->put(sink, demangled, strlen(demangled));
    free(demangled);
    return other;
}

void trod_put_display_name(struct trod_sink *sink, const char *name)
{
    if (!trod_put_demangled(sink, name))
        trod_put_name(sink, name);
}

void trod_json_display_name(struct trod_json *json, const char *key, const char *name)
{
    char *demangled = other_name(name), other[64];

    trod_json_text(json, key, name);
    if (demangled) {
        snprintf(other, sizeof other, "%s_demangled", key);
        trod_json_text(
            json, strcmp(key, "function") == 0 ? "demangled" : other, demangled);
    }
    free(demangled);
}

#include "look/look.h"
#include "sample/controlled.h"

#include <stdio.h>
#include <string.h>

/* Keys of trod top that control the programs. */

/* The sampling period in force: it rises by itself, and settings do not say how far. */
static double period_of(const struct cli_top *top)
{
    return top->picture[top->now].subpaths.most_frequency;
}

/* Twice or half the share. */
static void change_budget(struct trod_format_setting *s, int key)
{
    enum { LEAST = 100, MOST = 1000000 }; /* of a million */

    s->budget = key == '+' ? 2 * s->budget : s->budget / 2;
    s->budget = s->budget < LEAST ? LEAST : s->budget < MOST ? s->budget : MOST;
}

/* What is kept stands for as many blocks as the rate says: a lower rate begins anew. */
static void change(struct trod_format_setting *s, const struct cli_top *top, int key)
{
    double now = period_of(top);

    if (s->budget && (key == '+' || key == '-')) {
        change_budget(s, key);
        return;
    }
    switch (key) {
    case 'o':
        s->on = !s->on;
        break;
    case '-':
        s->rate[0] = s->rate[1] = now < 0x1p39 ? (uint64_t)(2 * now) + 1 : s->rate[0];
        break;
    case '+':
        s->rate[0] = s->rate[1] = now > 2 ? (uint64_t)(now / 2) : 1;
        s->nreset++;
        break;
    default:
        s->nreset++;
    }
}

static void describe(
    char *out, size_t room, const struct trod_format_setting *s, int key)
{
    const char *anew = key == '+' || key == 'r' ? "; samples begin anew" : "";

    if (key == 'o')
        snprintf(out, room, "sampling is %s", s->on ? "on" : "off");
    else if (key == 'r')
        snprintf(out, room, "samples begin anew");
    else if (s->budget)
        snprintf(out, room, "the budget is %g%%", s->budget / 1e4);
    else
        snprintf(out, room, "one of %llu blocks is a start%s",
            (unsigned long long)s->rate[0], anew);
}

static bool control(
    struct cli_top *top, const char *path, int key, char *out, size_t room)
{
    struct trod_format_setting now;
    struct cli_controlled c;

    if (!cli_control_open(&c, top->cli, path))
        return false;
    if (c.is_damaged ||
        (c.block->kind != TROD_CONTROL_ONLINE && key != 'o' && key != 'r')) {
        snprintf(out, room, "%s: see 'trod sample control'", path);
    } else {
        now = c.before;
        change(&now, top, key);
        cli_control_write(&c, &now);
        describe(out, room, &now, key);
    }
    cli_control_close(&c);
    return true;
}

void cli_top_control(struct cli_top *top, int key, char *message, size_t room)
{
    for (uint32_t i = 0; i < top->file.count; i++)
        if (!control(top, top->file.item[i], key, message, room))
            snprintf(message, room, "%s", top->cli->err.text);
}

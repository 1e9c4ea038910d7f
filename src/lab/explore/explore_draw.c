#include "explore/explore.h"

#include <math.h>

/* Horizontal bars, one below the other; one panel for each measure. */

enum { LABEL = 220, BAR = 420, NUMBER = 110, ROW = 20, HEAD = 34, EDGE = 12 };

struct bar {
    const char *label;
    double value;
};

struct panel {
    const char *title;
    struct bar *bar;
    uint32_t nbar, room;
};

static void put_text(struct trod_sink *sink, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            trod_put(sink, "&lt;");
            break;
        case '&':
            trod_put(sink, "&amp;");
            break;
        default:
            if ((unsigned char)*text < ' ')
                trod_put(sink, " ");
            else
                sink->put(sink, text, 1);
        }
}

static void add(
    struct panel *panel, const char *label, double value, struct trod_arena *mem)
{
    if (isnan(value))
        return;
    trod_push(mem, panel->bar, panel->nbar, panel->room, (struct bar){label, value});
}

/* For a sweep: the mean at each value of the varied parameter. */
static void add_values(struct panel *panel, const struct trod_explored *of,
    uint32_t measure, struct trod_arena *mem)
{
    const struct trod_study *study = &of->study;

    for (uint32_t d = 0; d < of->designs.ndesign; d++) {
        struct trod_string label;

        trod_string_init(&label, mem);
        for (uint32_t p = 0; p < study->nparameter; p++)
            if (trod_design_level(&of->designs, d, p) != study->parameter[p].base)
                trod_put(&label.sink, "%s %s", study->parameter[p].name,
                    trod_design_value(study, &of->designs, d, p));
        add(panel, label.length ? label.text : "base",
            trod_explored_mean(of, d, measure), mem);
    }
}

static void add_effects(struct panel *panel, const struct trod_explored *of,
    uint32_t measure, uint32_t order, struct trod_arena *mem)
{
    struct trod_effects effects;

    trod_effects_build(&effects, of, measure, order, mem);
    for (uint32_t i = 0; effects.nranked && i < effects.neffect; i++) {
        struct trod_string label;

        trod_string_init(&label, mem);
        trod_effect_name(&label.sink, &of->study, effects.effect[i].columns);
        add(panel, label.text, effects.effect[i].mean, mem);
    }
}

static void draw_panel(struct trod_sink *sink, const struct panel *panel, uint32_t top)
{
    double most = 0;

    for (uint32_t i = 0; i < panel->nbar; i++)
        most = fmax(most, fabs(panel->bar[i].value));
    trod_put(sink, "<text x=\"%d\" y=\"%u\" font-weight=\"bold\">", EDGE, top + 20);
    put_text(sink, panel->title);
    trod_put(sink, "</text>\n");
    for (uint32_t i = 0; i < panel->nbar; i++) {
        const struct bar *bar = &panel->bar[i];
        uint32_t y = top + HEAD + i * ROW;
        double width = most > 0 ? BAR * fabs(bar->value) / most : 0;

        trod_put(
            sink, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", EDGE + LABEL, y + 14);
        put_text(sink, bar->label);
        trod_put(sink,
            "</text><rect x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"%d\" "
            "fill=\"%s\"/><text x=\"%.1f\" y=\"%u\">%.3f</text>\n",
            EDGE + LABEL + 8, y + 3, width, ROW - 6,
            bar->value < 0 ? "#d55e00" : "#0072b2", EDGE + LABEL + 14 + width, y + 14,
            bar->value);
    }
}

void trod_explore_draw(struct trod_sink *sink, const struct trod_explored *explored,
    uint32_t order, struct trod_arena *mem)
{
    const struct trod_study *study = &explored->study;
    struct panel *panel = trod_new(mem, struct panel, study->nmeasure);
    bool sweep = study->kind == TROD_EXPLORE_SWEEP;
    uint32_t height = 2 * EDGE, top = EDGE;

    for (uint32_t m = 0; m < study->nmeasure; m++) {
        struct trod_string title;

        trod_string_init(&title, mem);
        trod_put(&title.sink, "%s: %s %s", study->name,
            sweep ? "mean of" : "mean effect on", study->measure[m]);
        panel[m].title = title.text;
        if (sweep)
            add_values(&panel[m], explored, m, mem);
        else
            add_effects(&panel[m], explored, m, order, mem);
        height += HEAD + panel[m].nbar * ROW + EDGE;
    }
    trod_put(sink,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        2 * EDGE + LABEL + BAR + NUMBER, height);
    for (uint32_t m = 0; m < study->nmeasure; m++) {
        draw_panel(sink, &panel[m], top);
        top += HEAD + panel[m].nbar * ROW + EDGE;
    }
    trod_put(sink, "</svg>\n");
}

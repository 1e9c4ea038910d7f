#include "model/model.h"

#include <string.h>

static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_profiler *m = (struct trod_profiler *)to;
    uint64_t events = 0;

    if (m->options.events)
        events = m->options.events(m->options.ctx, run);
    trod_profiler_run(m, run, events);
}

static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    trod_profiler_end((struct trod_profiler *)to, thread);
}

void trod_profiler_init(struct trod_profiler *m,
    const struct trod_profiler_options *options, struct trod_arena *mem)
{
    *m = (struct trod_profiler){
        .sink = {.run = take_run, .end = take_end}, .options = *options, .mem = mem};
    if (!m->options.control)
        m->options.control = trod_control_named("ballarus");
    trod_detector_init(&m->detector, m->options.control, mem);
    trod_reference_init(&m->reference, mem);
    m->table = trod_new(mem, struct trod_profiler_table, options->ndesign);
    for (uint32_t i = 0; i < options->ndesign; i++) {
        trod_hot_table_init(&m->table[i].whole, &options->design[i], mem);
        if (options->window)
            trod_hot_table_init(&m->table[i].windowed, &options->design[i], mem);
    }
    trod_path_window_init(&m->window, mem);
    m->window_end = options->window ? options->window : UINT64_MAX;
    m->interval_end = options->interval ? options->interval : UINT64_MAX;
    if (options->interval)
        trod_phases_init(&m->phases, options->least, mem);
}

/* --- windows ------------------------------------------------------------------------------------------ */

static void close_window(struct trod_profiler *m)
{
    for (uint32_t i = 0; i < m->options.ndesign; i++) {
        struct trod_profiler_table *t = &m->table[i];
        uint32_t npath =
            m->window.room < m->reference.npath ? m->window.room : m->reference.npath;

        trod_hot_table_score(
            &t->last_window, &t->windowed, m->window.weight_of_path, npath, m->mem);
        t->overlap += t->last_window.overlap;
    }
    if (m->options.window_over)
        m->options.window_over(m->options.window_ctx, m);
    for (uint32_t i = 0; i < m->options.ndesign; i++)
        trod_hot_table_clear(&m->table[i].windowed);
    m->nwindow++;
    trod_path_window_clear(&m->window);
}

static void pass_time(struct trod_profiler *m)
{
    uint64_t now = m->detector.seen.ninsn;

    while (now >= m->window_end) {
        close_window(m);
        m->window_end += m->options.window;
    }
    while (now >= m->interval_end) {
        trod_phases_close(&m->phases);
        m->interval_end += m->options.interval;
    }
}

/* --- paths -------------------------------------------------------------------------------------------- */

static void add_to_grammar(struct trod_profiler *m, uint32_t thread, uint32_t path)
{
    struct trod_profiler_thread *t = NULL;

    for (uint32_t i = m->nthread; i-- > 0 && !t;)
        if (m->thread[i].thread == thread)
            t = &m->thread[i];
    if (!t) {
        trod_reserve(m->mem, m->thread, m->nthread, m->room_thread);
        t = &m->thread[m->nthread++];
        t->thread = thread;
        trod_grammar_builder_init(&t->builder, 0, m->mem, m->mem);
    }
    trod_grammar_add(&t->builder, path);
    t->npath++;
}

static void take_paths(struct trod_profiler *m, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct trod_path_end *end = &m->detector.end[k];
        uint32_t number;

        if (!end->reported)
            continue;
        number = trod_reference_add(&m->reference, end);
        for (uint32_t i = 0; i < m->options.ndesign; i++)
            trod_hot_table_add(
                &m->table[i].whole, number, &m->reference.path[number], end->count);
        if (m->options.window) {
            trod_path_window_add(&m->window, number, end->weight);
            for (uint32_t i = 0; i < m->options.ndesign; i++)
                trod_hot_table_add(&m->table[i].windowed, number,
                    &m->reference.path[number], end->count);
        }
        if (m->options.interval)
            trod_phases_path(&m->phases, number, end->ninsn);
        if (m->options.grammar)
            add_to_grammar(m, end->thread, number);
    }
}

void trod_profiler_run(
    struct trod_profiler *m, const struct trod_run *run, uint64_t events)
{
    uint32_t count = trod_detector_run(&m->detector, run, events);

    if (m->options.interval)
        trod_phases_block(&m->phases, run->code->number, run->code->ninsn);
    if (count)
        take_paths(m, count);
    if (m->detector.seen.ninsn >= m->window_end ||
        m->detector.seen.ninsn >= m->interval_end)
        pass_time(m);
}

void trod_profiler_end(struct trod_profiler *m, uint32_t thread)
{
    take_paths(m, trod_detector_end(&m->detector, thread));
}

/* An incomplete last window or interval counts only if it is the only one. */
void trod_profiler_finish(struct trod_profiler *m)
{
    struct trod_mark mark;
    uint64_t *weight;

    if (m->done)
        return;
    m->done = true;
    for (uint32_t i = 0; i < m->detector.nstack; i++)
        if (m->detector.stack[i].count)
            trod_profiler_end(m, m->detector.stack[i].thread);
    if (m->options.window && !m->nwindow)
        close_window(m);
    if (m->options.interval && !m->phases.ninterval)
        trod_phases_close(&m->phases);
    for (uint32_t i = 0; i < m->nthread; i++)
        trod_grammar_build(&m->thread[i].grammar, &m->thread[i].builder, "paths");
    mark = trod_arena_mark(m->mem);
    weight = trod_new(m->mem, uint64_t, m->reference.npath);
    for (uint32_t i = 0; i < m->reference.npath; i++)
        weight[i] = m->reference.path[i].weight;
    for (uint32_t i = 0; i < m->options.ndesign; i++)
        trod_hot_table_score(
            &m->table[i].score, &m->table[i].whole, weight, m->reference.npath, m->mem);
    trod_arena_rewind(m->mem, mark);
}

uint32_t trod_profiler_service(
    struct trod_profiler_since *since, const struct trod_profiler *m, uint32_t design)
{
    const struct trod_hot_table *t = &m->table[design].whole;
    const uint64_t *nop = m->detector.seen.nop;
    uint32_t cycles = trod_model_service(
        nop[0] - since->nop[0] + nop[1] - since->nop[1], nop[3] - since->nop[3],
        nop[2] - since->nop[2], t->nmiss - since->nmiss, t->design.ways);

    memcpy(since->nop, nop, sizeof since->nop);
    since->nmiss = t->nmiss;
    return cycles;
}

bool trod_profiler_check(const struct trod_profiler *m, struct trod_err *err)
{
    if (!trod_detector_check(&m->detector, err) ||
        !trod_reference_check(&m->reference, err))
        return false;
    for (uint32_t i = 0; i < m->options.ndesign; i++)
        if (!trod_hot_table_check(&m->table[i].whole, &m->reference, err))
            return false;
    return true;
}

/* Branch stacks of a random program that is walked, and what is read of them. */
#ifndef PROP_STACKS_H
#define PROP_STACKS_H

#include "ipt/ipt_port.h"
#include "kit/machine_program.h"

struct stacks {
    struct trod_string text;
    struct trod_branch_paths exact, sampled;
    struct trod_branch_checker check;
    struct trod_branch_stacks health;
    struct trod_ipt_memory memory;
    struct trod_ipt_reader reader;
};

static inline void walk(struct stacks *out, struct kit_draws draws,
    const struct kit_walk_options *options, uint32_t depth, uint64_t period,
    struct trod_arena *mem)
{
    struct trod_branch_stack_printer printer;
    struct trod_branch_sink *to[2] = {&printer.sink, &out->exact.sink};
    struct kit_program program;
    struct trod_branch_tee tee;
    uint8_t *bytes;

    trod_string_init(&out->text, mem);
    trod_branch_stack_printer_init(&printer, &out->text.sink, depth, period, 1, mem);
    trod_branch_paths_init(&out->exact, false, mem);
    kit_program_draw(&program, draws, options, mem);
    trod_branch_tee_init(&tee, to, 2);
    kit_program_walk(&program, &tee.sink, draws, NULL);
    bytes = trod_new(mem, uint8_t, program.image.end - program.image.start);
    kit_program_bytes(bytes, &program);
    out->memory = (struct trod_ipt_memory){program.image, bytes};
}

static inline bool parse(
    struct stacks *s, bool decoded, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_branch_sink none = {0}, *to[2] = {&s->check.sink, &s->sampled.sink};
    struct trod_branch_decoder decoder = {trod_ipt_walk, &s->reader};
    struct trod_branch_tee tee;

    trod_branch_checker_init(&s->check, mem);
    trod_branch_paths_init(&s->sampled, true, mem);
    trod_branch_tee_init(&tee, to, 2);
    trod_ipt_reader_init(&s->reader, &none, &s->memory, 1, mem);
    return trod_branch_parse_stacks(&tee.sink, &s->health, "perf.script", s->text.text,
        s->text.length, decoded ? &decoder : NULL, mem, err);
}

#endif

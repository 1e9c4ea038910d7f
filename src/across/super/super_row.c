#include "super/walk.h"

#include <inttypes.h>

struct step_row {
    struct trod_arena *mem;
    struct trod_step *step;
    size_t nstep, room;
};

static void put(struct step_row *r, struct trod_step step)
{
    trod_push(r->mem, r->step, r->nstep, r->room, step);
}

void trod_super_row_build(struct trod_super_row *out, const struct trod_super *super,
    const struct trod_dag *dag, const trod_edge *edge_of_step, uint32_t nstep,
    struct trod_arena *mem)
{
    struct trod_super_walk walk = {.super = super, .dag = dag};
    struct step_row r = {.mem = mem};
    struct trod_step ended;

    trod_super_walk_start(&walk, edge_of_step[0]);
    out->frame = walk.frame;
    for (uint32_t i = 1; i + 1 < nstep; i++) {
        enum trod_super_turn turn =
            trod_super_walk_cross(&walk, &ended, dag->origin_of_edge[edge_of_step[i]]);

        if (turn == TROD_SUPER_STAYS)
            continue;
        put(&r, ended);
        put(&r,
            (struct trod_step){
                .kind = turn == TROD_SUPER_CALLS ? TROD_STEP_CALL : TROD_STEP_RETURN});
    }
    out->end = trod_super_walk_end(&walk, &ended, edge_of_step[nstep - 1]);
    put(&r, ended);
    out->call = walk.call;
    out->nstep = r.nstep;
    out->step = r.step;
}

void trod_super_row_decode(struct trod_super_row *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, trod_path id, struct trod_arena *mem)
{
    trod_edge *edge_of_step = trod_new(mem, trod_edge, ballarus->dag->nreach);
    uint32_t n = trod_number_decode(edge_of_step, ballarus, id);

    trod_super_row_build(out, super, ballarus->dag, edge_of_step, n, mem);
}

void trod_super_row_print(struct trod_sink *sink, const struct trod_super_row *row,
    const struct trod_super_unit *unit)
{
    for (size_t i = 0; i < row->nstep; i++) {
        const struct trod_step *step = &row->step[i];

        trod_put(sink, "%s", i ? " " : "");
        if (step->kind != TROD_STEP_SUBPATH) {
            trod_put(sink, step->kind == TROD_STEP_CALL ? "(" : ")");
            continue;
        }
        trod_put_name(sink, unit->function[step->function].name);
        if (step->id == TROD_SUPER_PIECE)
            trod_put(sink, ":?");
        else
            trod_put(sink, ":%" PRIu64, step->id);
    }
}

#include "model/model.h"

void trod_phases_init(struct trod_phases *p, double least, struct trod_arena *mem)
{
    *p =
        (struct trod_phases){.mem = mem, .least = least > 0 ? least : TROD_PHASE_LEAST};
    trod_path_window_init(&p->path, mem);
    trod_path_window_init(&p->block, mem);
}

void trod_phases_path(struct trod_phases *p, uint32_t path, uint64_t weight)
{
    trod_path_window_add(&p->path, path, weight);
}

void trod_phases_block(struct trod_phases *p, uint32_t code, uint64_t weight)
{
    trod_path_window_add(&p->block, code, weight);
}

/* The most similar kind of phase; a new kind if none is similar enough. */
static uint32_t kind_of(
    struct trod_phases *p, struct trod_path_weight *weight, size_t count)
{
    double best = 0;
    uint32_t at = 0;

    for (uint32_t k = 0; k < p->nkind; k++) {
        double overlap =
            trod_model_overlap(weight, count, p->kind[k].weight, p->kind[k].count);

        if (overlap > best) {
            best = overlap;
            at = k;
        }
    }
    if (p->nkind && best >= p->least)
        return at;
    return trod_push(p->mem, p->kind, p->nkind, p->room_kind,
        (struct trod_phase_kind){.weight = weight, .count = count});
}

void trod_phases_close(struct trod_phases *p)
{
    struct trod_path_weight *path, *block;
    size_t npath = trod_path_window_weights(&path, &p->path, p->mem);
    size_t nblock = trod_path_window_weights(&block, &p->block, p->mem);
    double paths = trod_model_overlap(path, npath, p->was_path, p->nwas_path);
    double blocks = trod_model_overlap(block, nblock, p->was_block, p->nwas_block);

    if (p->nphase && paths >= p->least) {
        p->phase[p->nphase - 1].count++;
    } else {
        trod_push(p->mem, p->phase, p->nphase, p->room,
            (struct trod_phase){.from = p->ninterval,
                .count = 1,
                .kind = kind_of(p, path, npath),
                .paths = p->nphase ? paths : 0,
                .blocks = p->nphase ? blocks : 0,
                .same_blocks = p->nphase && blocks >= p->least});
    }
    p->was_path = path;
    p->nwas_path = npath;
    p->was_block = block;
    p->nwas_block = nblock;
    p->ninterval++;
    trod_path_window_clear(&p->path);
    trod_path_window_clear(&p->block);
}

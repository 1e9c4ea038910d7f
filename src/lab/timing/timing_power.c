#include "timing/timing.h"

#include <math.h>

/* Energy of reading all ways of a set, in units of one cell. Each cell of the word line counts with
 * its bit line and a sense amplifier, which equals 4.8 cells. The form is that of Kamble and Ghose,
 * ISLPED 1997, simplified. Bit lines of large arrays are divided: none has more than 256 cells. The
 * constants are chosen, not measured.
 */
enum { ADDRESS_BITS = 48, STATE_BITS = 2, MOST_ROWS = 256 };

static double energy(const struct trod_timing_cache *cache)
{
    uint64_t sets, tag, rows;

    if (!cache->size)
        return 0;
    sets = cache->size / cache->line / cache->ways;
    tag = ADDRESS_BITS - (trod_bit_width(cache->size / cache->ways) - 1);
    rows = sets < MOST_ROWS ? sets : MOST_ROWS;
    return (double)cache->ways *
           (double)(8 * (uint64_t)cache->line + tag + STATE_BITS) *
           ((double)rows + 4.8);
}

/* Eight bytes from memory cost 4.95 nJ, a cell 1.44e-14 J: memory costs 36 times what the cache of
 * table 5.3 does. */
static double memory_energy(const struct trod_timing_machine *machine)
{
    return 4.95e-9 / 1.44e-14 * (double)machine->l2.line / 8;
}

static uint64_t cost_of(uint32_t said, double has, double least)
{
    double cost = has > 0 ? round(TROD_TIMING_COST * has / least) : TROD_TIMING_COST;

    return said ? said : (uint64_t)cost;
}

void trod_timing_costs_fill(
    struct trod_timing_costs *out, const struct trod_timing_machine *machine)
{
    double l1i = energy(&machine->l1i), l1d = energy(&machine->l1d);
    double l2 = energy(&machine->l2), least = 0;

    if (l1i > 0)
        least = l1i;
    if (l1d > 0 && (least <= 0 || l1d < least))
        least = l1d;
    if (l2 > 0 && (least <= 0 || l2 < least))
        least = l2;
    if (least <= 0)
        least = memory_energy(machine);
    *out = (struct trod_timing_costs){.l1i = cost_of(machine->cost_l1i, l1i, least),
        .l1d = cost_of(machine->cost_l1d, l1d, least),
        .l2 = cost_of(machine->cost_l2, l2, least),
        .memory = cost_of(machine->cost_memory, memory_energy(machine), least)};
}

#include "runtime.h"

/* Executes the operations of a plan, for a copy of a function that serves several plans. The call
 * and the loop replace a few inlined instructions: this is used where code is to be small.
 */

static void look(const struct trod_rt_context *context, const struct trod_rt_look *with,
    uint64_t sum)
{
    __trod_ask(__trod_self(), context->table, context->ids, with->how, with->nslot,
        with->number, sum & with->mask);
}

static void report(const struct trod_rt_context *context, uint64_t path)
{
    path &= context->report_mask;
    if (context->direct)
        __trod_count_rare(context->table + path);
    else
        __trod_untested(context->table, path);
}

void __trod_relay(
    uint64_t *sum, uint64_t *mask, const struct trod_rt_context *context, uint64_t site)
{
    uint32_t i;

    if (!*mask)
        return;
    for (i = context->first_op[site]; i < context->first_op[site + 1]; i++) {
        uint64_t value = context->op[i].value;

        switch ((enum trod_rt_action)context->op[i].action) {
        case TROD_RT_SET:
            *sum = value;
            break;
        case TROD_RT_ADD:
            *sum += value;
            break;
        case TROD_RT_COUNT:
            __trod_count(__trod_self(), context->table, *sum + value, 1);
            break;
        case TROD_RT_COUNT_AT:
            __trod_count(__trod_self(), context->table, value, 1);
            break;
        case TROD_RT_LOOK:
            look(context, &context->look, *sum + value);
            break;
        case TROD_RT_LOOK_ASTRAY:
            look(context, &context->astray, *sum + value);
            break;
        case TROD_RT_REPORT:
            report(context, *sum + value);
            break;
        case TROD_RT_REPORT_AT:
            report(context, value);
            break;
        case TROD_RT_PAUSE:
            *mask = 0;
            break;
        }
    }
}

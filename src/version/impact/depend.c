#include "impact/depend_builder.h"

#include <inttypes.h>

enum { NONE = UINT32_MAX };

struct trod_depends_builder *trod_depends_begin(struct trod_arena *mem)
{
    struct trod_depends_builder *b = trod_new(mem, struct trod_depends_builder, 1);

    b->mem = mem;
    trod_names_init(&b->word, mem);
    trod_names_init(&b->file, mem);
    trod_names_init(&b->function, mem);
    return b;
}

/* --- functions: entry, parameters, result -------------------------------------------------------------- */

/* A function, or a type of functions, as its callers see it: one node for each parameter, one for the entry, one for
 * the result. A function with a single copy uses its own nodes. Otherwise new nodes stand between callers and copies,
 * so that there are callers + copies edges, not callers * copies.
 */
struct interface {
    uint64_t first; /* its first parameter in `param` */
    uint64_t slot;  /* first pointer slot: the result's, followed by the parameters' */
    uint32_t nparam, npointer;
    uint32_t begin, result; /* or NONE */
    uint32_t nenter, nleave;
    bool is_type;
    bool known;   /* some unit defines it */
    bool foreign; /* of a type: it has a function that no unit defines */
};

struct linker {
    struct trod_depends_builder *b;
    struct trod_arena *mem;
    struct interface *interface;
    uint32_t ndoor;
    uint32_t *param;
    uint32_t
        nclass; /* nodes of the units; higher numbers are slots in `up`, and added nodes in the graph */
    /* Union-find over classes, over nodes that are not classes (what they point into), and over slots (the same). */
    uint32_t *up;
    uint32_t *target_of; /* by root: the class that its content points into, or NONE */
    uint32_t *writes,
        *reads; /* [nclass] added nodes for everything reachable from a class; NONE: not made */
    uint32_t
        outside; /* node for the state of functions that no unit defines; NONE: not made */
    struct trod_depend_pair *pending; /* classes that still have to be unified */
    size_t ndue, room_due;
};

static uint32_t add_joint(struct linker *j)
{
    struct trod_depends_builder *b = j->b;

    return trod_push(
        j->mem, b->node, b->nnode, b->room_node, (struct trod_depend_node){0});
}

static void add_edge(struct linker *j, uint32_t from, uint32_t to)
{
    struct trod_depends_builder *b = j->b;

    trod_push(
        j->mem, b->edge, b->nedge, b->room_edge, (struct trod_depend_pair){from, to});
}

static uint32_t *params_of(const struct linker *j, const struct interface *interface)
{
    return j->param + interface->first;
}

static void at_least(uint32_t *most, uint32_t count)
{
    if (*most < count)
        *most = count;
}

static void count_rows(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;

    for (uint32_t i = 0; i < j->ndoor; i++)
        j->interface[i].begin = j->interface[i].result = NONE;
    for (uint32_t i = 0; i < b->nenter; i++) {
        struct interface *interface = &j->interface[b->enter[i].function];

        interface->known = true;
        interface->nenter++;
        at_least(&interface->nparam, b->enter[i].count - 1);
        at_least(&interface->npointer, b->enter[i].count - 1);
    }
    for (uint32_t i = 0; i < b->nleave; i++)
        j->interface[b->leave[i].function].nleave += b->leave[i].count;
    for (uint32_t i = 0; i < b->ncall; i++)
        at_least(&j->interface[b->call[i].row.function].npointer, b->call[i].row.count);
}

/* Decide first which names are types: an entry whose function is itself a type is ignored. */
static void count_taken(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;

    for (uint32_t i = 0; i < b->ntaken; i++)
        j->interface[b->taken[i].type].is_type = !j->interface[b->taken[i].type].nenter;
    for (uint32_t i = 0; i < b->ntaken; i++) {
        const struct interface *function = &j->interface[b->taken[i].function];
        struct interface *type = &j->interface[b->taken[i].type];

        if (!type->is_type || function->is_type)
            continue;
        type->known |= function->nenter != 0;
        type->foreign |= !function->nenter;
        at_least(&type->nparam, function->nparam);
        at_least(&type->npointer, function->npointer);
    }
}

/* Allocate parameters and slots, and add nodes where a function has several copies. */
static void allocate_interfaces(struct linker *j)
{
    uint64_t nparam = 0, nslot = 0;

    for (uint32_t i = 0; i < j->ndoor; i++) {
        j->interface[i].first = nparam;
        j->interface[i].slot = nslot;
        nparam += j->interface[i].nparam;
        nslot += (uint64_t)j->interface[i].npointer + 1;
    }
    j->param = trod_new(j->mem, uint32_t, nparam + 1);
    j->nclass = j->b->nnode;
    j->up = trod_new(j->mem, uint32_t, j->nclass + nslot + 1);
    j->target_of = trod_new(j->mem, uint32_t, j->nclass + nslot + 1);
    for (uint64_t i = 0; i < j->nclass + nslot; i++) {
        j->up[i] = (uint32_t)i;
        j->target_of[i] = NONE;
    }
    for (uint32_t i = 0; i < j->ndoor; i++) {
        struct interface *interface = &j->interface[i];

        if (interface->nenter > 1 || (interface->is_type && interface->known)) {
            interface->begin = add_joint(j);
            for (uint32_t k = 0; k < interface->nparam; k++)
                params_of(j, interface)[k] = add_joint(j);
        }
        if (interface->nleave > 1 || (interface->is_type && interface->known))
            interface->result = add_joint(j);
    }
}

/* --- union-find over classes --------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *up, uint32_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static bool is_class(const struct linker *j, uint32_t i)
{
    return i < j->nclass && trod_has(j->b->memory, i);
}

static void queue_union(struct linker *j, uint32_t a, uint32_t b)
{
    trod_push(
        j->mem, j->pending, j->ndue, j->room_due, (struct trod_depend_pair){a, b});
}

/* The root of a union is a class if the union has one. Unifying two classes also unifies what they point into. */
static void join_due(struct linker *j)
{
    while (j->ndue) {
        struct trod_depend_pair pair = j->pending[--j->ndue];
        uint32_t a = root_of(j->up, pair.from), b = root_of(j->up, pair.to);
        bool swap = is_class(j, a) == is_class(j, b) ? b < a : is_class(j, b);
        uint32_t root = swap ? b : a, other = swap ? a : b;

        if (a == b)
            continue;
        j->up[other] = root;
        if (j->target_of[root] == NONE)
            j->target_of[root] = j->target_of[other];
        else if (j->target_of[other] != NONE)
            queue_union(j, j->target_of[root], j->target_of[other]);
    }
}

static void join_points(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;

    for (uint64_t i = 0; i < b->npoints; i++) {
        uint32_t from = b->points[i].from, to = b->points[i].to;

        if (!is_class(j, from))
            queue_union(j, from, to);
        else if (j->target_of[from] == NONE)
            j->target_of[from] = to;
        else
            queue_union(j, j->target_of[from], to);
    }
}

static void join_globals(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;
    struct trod_names names;
    uint32_t *class_of_name;

    trod_names_init(&names, j->mem);
    class_of_name = trod_new(j->mem, uint32_t, (size_t)b->nglobal + 1);
    for (uint32_t i = 0; i < b->nglobal; i++) {
        uint32_t before = names.count, n;

        if (b->global[i].file)
            continue;
        n = trod_names_add(&names, b->global[i].name);
        if (names.count > before)
            class_of_name[n] = b->global[i].node;
        else
            queue_union(j, class_of_name[n], b->global[i].node);
    }
}

/* Slot 0 is the result. */
static uint32_t slot_of(
    const struct linker *j, const struct interface *interface, uint32_t n)
{
    return (uint32_t)(j->nclass + interface->slot + n);
}

static void join_rows(
    struct linker *j, const struct trod_depend_row *row, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        queue_union(j, slot_of(j, &j->interface[row->function], k + 1),
            j->b->row[row->first + k]);
}

/* An argument and its parameter point into the same class; so do a return value and the result. */
static void join_pointers(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;

    for (uint32_t i = 0; i < b->nenter; i++)
        join_rows(j, &b->enter[i], b->enter[i].count - 1);
    for (uint32_t i = 0; i < b->nleave; i++)
        for (uint32_t k = 0; k < b->leave[i].count; k++)
            queue_union(j, slot_of(j, &j->interface[b->leave[i].function], 0),
                b->row[b->leave[i].first + k]);
    for (uint32_t i = 0; i < b->ncall; i++) {
        join_rows(j, &b->call[i].row, b->call[i].row.count);
        if (b->call[i].result != NONE)
            queue_union(j, slot_of(j, &j->interface[b->call[i].row.function], 0),
                b->call[i].result);
    }
    for (uint32_t i = 0; i < b->ntaken; i++) {
        const struct interface *function = &j->interface[b->taken[i].function];
        const struct interface *type = &j->interface[b->taken[i].type];

        for (uint32_t k = 0; k <= function->npointer && k <= type->npointer; k++)
            queue_union(j, slot_of(j, function, k), slot_of(j, type, k));
    }
}

/* --- calls -------------------------------------------------------------------------------------------------- */

static void enter_function(struct linker *j, const struct trod_depend_row *row)
{
    struct interface *interface = &j->interface[row->function];
    const uint32_t *node = j->b->row + row->first;
    uint32_t nparam = row->count - 1;

    if (interface->nenter == 1) {
        interface->begin = node[nparam];
        for (uint32_t i = 0; i < nparam; i++)
            params_of(j, interface)[i] = node[i];
        return;
    }
    add_edge(j, interface->begin, node[nparam]);
    for (uint32_t i = 0; i < nparam; i++)
        add_edge(j, params_of(j, interface)[i], node[i]);
}

static void leave_function(struct linker *j, const struct trod_depend_row *row)
{
    struct interface *interface = &j->interface[row->function];

    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t node = j->b->row[row->first + i];

        if (interface->nleave == 1)
            interface->result = node;
        else
            add_edge(j, node, interface->result);
    }
}

static void go_through(
    struct linker *j, const struct interface *type, const struct interface *to)
{
    add_edge(j, type->begin, to->begin);
    for (uint32_t i = 0; i < to->nparam; i++)
        add_edge(j, params_of(j, type)[i], params_of(j, to)[i]);
    if (to->result != NONE)
        add_edge(j, to->result, type->result);
}

static void call_known(struct linker *j, const struct trod_depend_call *call,
    const struct interface *interface)
{
    const uint32_t *argument = j->b->row + call->row.first;

    add_edge(j, call->node, interface->begin);
    for (uint32_t i = 0; i < interface->nparam; i++)
        add_edge(j, i < call->row.count ? argument[i] : call->node,
            params_of(j, interface)[i]);
    if (call->result != NONE && interface->result != NONE)
        add_edge(j, interface->result, call->result);
}

static void join_calls(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;

    for (uint32_t i = 0; i < b->nenter; i++)
        enter_function(j, &b->enter[i]);
    for (uint32_t i = 0; i < b->nleave; i++)
        leave_function(j, &b->leave[i]);
    for (uint32_t i = 0; i < b->ntaken; i++) {
        const struct interface *function = &j->interface[b->taken[i].function];
        const struct interface *type = &j->interface[b->taken[i].type];

        if (type->is_type && function->nenter)
            go_through(j, type, function);
    }
    for (uint32_t i = 0; i < b->ncall; i++)
        if (j->interface[b->call[i].row.function].known)
            call_known(j, &b->call[i], &j->interface[b->call[i].row.function]);
}

/* --- functions that no unit defines ----------------------------------------------------------------------------- */

/* Such a function may mix everything it receives: one class for all its pointers. */
static void mix_pointers(struct linker *j)
{
    for (uint32_t i = 0; i < j->ndoor; i++)
        for (uint32_t k = 0; !j->interface[i].known && k < j->interface[i].npointer;
            k++)
            queue_union(j, slot_of(j, &j->interface[i], 0),
                slot_of(j, &j->interface[i], k + 1));
}

/* The class that a class points into; NONE if no unit has it. */
static uint32_t class_behind(struct linker *j, uint32_t class)
{
    uint32_t target = j->target_of[root_of(j->up, class)];

    if (target != NONE)
        target = root_of(j->up, target);
    return is_class(j, target) ? target : NONE;
}

/* Two nodes for each class: one affects the class and everything reachable from it, the other is affected by these.
 * They are made once per class, so that chains of pointers are not walked for each call.
 */
static void reach(struct linker *j, uint32_t class)
{
    while (class != NONE && j->writes[class] == NONE) {
        uint32_t deeper = class_behind(j, class);
        bool made = deeper == NONE || deeper == class || j->writes[deeper] != NONE;
        uint32_t write, read;

        j->writes[class] = add_joint(j);
        j->reads[class] = add_joint(j);
        add_edge(j, j->writes[class], class);
        add_edge(j, class, j->reads[class]);
        if (deeper == NONE || deeper == class)
            return;
        /* Nodes that are not made yet get the next two numbers. */
        write = made ? j->writes[deeper] : j->b->nnode;
        read = made ? j->reads[deeper] : j->b->nnode + 1;
        add_edge(j, j->writes[class], write);
        add_edge(j, read, j->reads[class]);
        class = deeper;
    }
}

static void call_foreign(struct linker *j, const struct trod_depend_call *call,
    const struct interface *interface)
{
    if (j->outside == NONE)
        j->outside = add_joint(j);
    add_edge(j, call->node, j->outside);
    add_edge(j, j->outside, call->node);
    if (call->result != NONE)
        add_edge(j, call->node, call->result);
    for (uint32_t i = 0; i < call->row.count; i++)
        add_edge(j, j->b->row[call->row.first + i], call->node);
    for (uint32_t k = 0; k <= interface->npointer; k++) {
        uint32_t class = root_of(j->up, slot_of(j, interface, k));

        if (!is_class(j, class))
            continue;
        reach(j, class);
        add_edge(j, j->reads[class], call->node);
        add_edge(j, call->node, j->writes[class]);
        if (!interface->known)
            break; /* all its slots are one class */
    }
}

/* The function that a global names, or NULL. */
static const struct interface *door_of_global(
    struct linker *j, const struct trod_depend_global *global)
{
    struct trod_mark mark = trod_arena_mark(j->mem);
    struct trod_string name;
    uint32_t n;

    trod_string_init(&name, j->mem);
    trod_put(&name.sink, "%s%s%s", global->file ? global->file : "",
        global->file ? ":" : "", global->name);
    n = trod_names_find(&j->b->function, name.text);
    trod_arena_rewind(j->mem, mark);
    return n == UINT32_MAX || !j->interface[n].nenter ? NULL : &j->interface[n];
}

/* Functions that no unit defines may call every function whose address they can reach. */
static void call_back(struct linker *j)
{
    for (uint32_t i = 0; i < j->b->nglobal; i++) {
        const struct trod_depend_global *global = &j->b->global[i];
        uint32_t class = root_of(j->up, global->node);
        const struct interface *interface;

        if (j->writes[class] == NONE || !(interface = door_of_global(j, global)))
            continue;
        add_edge(j, j->writes[class], interface->begin);
        for (uint32_t k = 0; k < interface->nparam; k++)
            add_edge(j, j->writes[class], params_of(j, interface)[k]);
    }
}

static void join_foreign(struct linker *j)
{
    const struct trod_depends_builder *b = j->b;

    j->outside = NONE;
    j->writes = trod_new(j->mem, uint32_t, (size_t)j->nclass + 1);
    j->reads = trod_new(j->mem, uint32_t, (size_t)j->nclass + 1);
    for (uint32_t i = 0; i < j->nclass; i++)
        j->writes[i] = j->reads[i] = NONE;
    for (uint32_t i = 0; i < b->ncall; i++) {
        const struct interface *interface = &j->interface[b->call[i].row.function];

        if (!interface->known || interface->foreign)
            call_foreign(j, &b->call[i], interface);
    }
    call_back(j);
}

/* --- one graph ---------------------------------------------------------------------------------------------------- */

/* Only classes are unified; added nodes are not classes. */
static uint32_t final_of(struct linker *j, uint32_t node)
{
    return is_class(j, node) ? root_of(j->up, node) : node;
}

static void fill_graph(struct trod_depends *out, struct linker *j)
{
    struct trod_depends_builder *b = j->b;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < b->nedge; i++) {
        b->edge[i].from = final_of(j, b->edge[i].from);
        b->edge[i].to = final_of(j, b->edge[i].to);
        out->first_out[b->edge[i].from]++;
    }
    for (uint32_t v = 0; v <= b->nnode; v++) {
        uint64_t count = out->first_out[v];

        out->first_out[v] = sum;
        sum += count;
    }
    for (uint64_t i = 0; i < b->nedge; i++)
        out->to[out->first_out[b->edge[i].from]++] = b->edge[i].to;
    for (uint32_t v = b->nnode; v > 0; v--)
        out->first_out[v] = out->first_out[v - 1];
    out->first_out[0] = 0;
}

void trod_depends_build(struct trod_depends *out, struct trod_depends_builder *builder)
{
    struct linker j = {
        .b = builder, .mem = builder->mem, .ndoor = builder->function.count};

    j.interface = trod_new(j.mem, struct interface, (size_t)j.ndoor + 1);
    count_rows(&j);
    count_taken(&j);
    allocate_interfaces(&j);
    join_points(&j);
    join_globals(&j);
    join_pointers(&j);
    mix_pointers(&j);
    join_due(&j);
    join_calls(&j);
    join_foreign(&j);

    *out = (struct trod_depends){.name = builder->name ? builder->name : "none",
        .nnode = builder->nnode,
        .node = builder->node,
        .nfile = builder->file.count,
        .file = builder->file.name,
        .nglobal = builder->nglobal,
        .global = builder->global};
    out->first_out = trod_new(j.mem, uint64_t, (size_t)builder->nnode + 1);
    out->to = trod_new(j.mem, uint32_t, builder->nedge + 1);
    fill_graph(out, &j);
    for (uint32_t i = 0; i < out->nglobal; i++)
        out->global[i].node = final_of(&j, out->global[i].node);
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

bool trod_depends_check(const struct trod_depends *of, struct trod_err *err)
{
    for (uint32_t v = 0; v < of->nnode; v++)
        if (of->first_out[v] > of->first_out[v + 1])
            return trod_fail(err, TROD_E_INTERNAL,
                "dependences of node %" PRIu32 " end before they begin", v);
    for (uint64_t e = 0; e < of->first_out[of->nnode]; e++)
        if (of->to[e] >= of->nnode)
            return trod_fail(err, TROD_E_INTERNAL,
                "dependence %" PRIu64 " is of node %" PRIu32 ", which is none", e,
                of->to[e]);
    for (uint32_t i = 0; i < of->nglobal; i++)
        if (of->global[i].node >= of->nnode || of->node[of->global[i].node].function)
            return trod_fail(
                err, TROD_E_INTERNAL, "global '%s' is in no class", of->global[i].name);
    return true;
}

/* See lua_blocks.h. Environment, when a state is created:
 *
 *     TROD_ONLINE   options of the sampler; without this variable nothing is sampled, and nothing is written
 *     TROD_OUT      name of the profile: %p is the process, %e the program, %m is empty; the map is beside it
 *     TROD_BLOCKS   for tests: a file, or fd:N, to which the number of each block is written, as by programs of trod cc
 */
#define LUA_CORE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "ldebug.h"
#include "lfunc.h"
#include "lgc.h"
#include "lopcodes.h"
#include "lstate.h"

enum {
    MEMORY = 256 << 10, /* of an instance, unless TROD_ONLINE says how much */
    ROOM = 8192,        /* functions that are sampled, of a state */
    MOST_LINES = 32,    /* of a block; other lines are left out */
    TRACED = 1020       /* blocks of a chunk of the trace */
};

/* --- states ---------------------------------------------------------------------------------------- */

struct blocks_state {
    struct blocks_state *next;
    struct trod_online *online;
    void *memory, *file;
    size_t size;
    int map;
    uint32_t nfunction;
    uint32_t other; /* the block of functions for which there is no room */
    unsigned born;  /* forks before */
    struct timespec start;

    int trace; /* -1: none */
    int64_t skip; /* of the sampler, while each block is traced */
    uint32_t chunk[4 + TRACED], ntraced;
};

/* A function that was loaded while something is sampled. */
struct blocks_proto {
    uint32_t first;     /* the number of its first block; TROD_ONLINE_NONE: it has none yet */
    uint32_t *block_of; /* by instruction */
    char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct blocks_state *states;
static unsigned nfork;

/* A child of fork maps the file of its parent: it must not write there. */
static void in_child(void)
{
    nfork++;
}

static void write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        ssize_t done = write(fd, at, n);

        if (done < 0 && errno != EINTR)
            return;
        if (done > 0) {
            at += done;
            n -= (size_t)done;
        }
    }
}

static void write_trace(struct blocks_state *s)
{
    s->chunk[0] = UINT32_C(0x4b4c4254);
    s->chunk[1] = 0;
    s->chunk[2] = s->ntraced;
    s->chunk[3] = (uint32_t)getpid();
    if (s->ntraced)
        write_all(s->trace, s->chunk, (4 + (size_t)s->ntraced) * sizeof *s->chunk);
    s->ntraced = 0;
}

static void end(struct blocks_state *s)
{
    struct timespec now;
    int64_t ns;

    if (s->born != nfork || !s->online)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ns = (now.tv_sec - s->start.tv_sec) * INT64_C(1000000000) + now.tv_nsec - s->start.tv_nsec;
    trod_online_profile_end(s->online, (uint64_t)ns / 1000000000, (uint32_t)((uint64_t)ns % 1000000000));
    if (s->trace >= 0)
        write_trace(s);
}

/* The program ends without closing its states, as by os.exit. */
static void end_all(void)
{
    struct blocks_state *s;

    pthread_mutex_lock(&lock);
    for (s = states; s; s = s->next)
        end(s);
    pthread_mutex_unlock(&lock);
}

static void prepare(void)
{
    pthread_atfork(NULL, NULL, in_child);
    atexit(end_all);
}

/* --- clocks ------------------------------------------------------------------------------------------ */

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return nanoseconds(CLOCK_MONOTONIC);
#endif
}

static void times(struct trod_clocks *out)
{
    out->all = nanoseconds(CLOCK_MONOTONIC);
    out->own = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

/* --- the profile ----------------------------------------------------------------------------------------- */

static void put(char *out, size_t room, const char *text)
{
    size_t n = strlen(out);

    if (n + 1 < room)
        snprintf(out + n, room - n, "%s", text);
}

/* The path of the profile; the number of the try comes before the suffix. */
static void name_profile(char *out, size_t room, const char *program, int try)
{
    const char *pattern = getenv("TROD_OUT"), *at;
    const char *base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    char piece[32];
    size_t n;

    out[0] = 0;
    if (!pattern || !*pattern)
        pattern = "%e.%p.trod";
    if (*pattern != '/' && getcwd(out, room))
        put(out, room, "/");
    for (at = pattern; *at; at++) {
        snprintf(piece, sizeof piece, "%c", *at);
        if (*at == '%' && at[1]) {
            at++;
            piece[0] = 0;
            if (*at == 'p')
                snprintf(piece, sizeof piece, "%d", (int)getpid());
            else if (*at == 'e')
                put(out, room, base);
        }
        put(out, room, piece);
    }
    n = strlen(out);
    if (n > 5 && strcmp(out + n - 5, ".trod") == 0)
        out[n - 5] = 0;
    snprintf(piece, sizeof piece, try ? ".%d.trod" : ".trod", try);
    put(out, room, piece);
}

static int create(char *path, size_t room, const char *program)
{
    int fd = -1, try;

    for (try = 0; fd < 0 && try < 1000; try++) {
        name_profile(path, room, program, try);
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Create, map and lay out the file. Space is reserved: a write to a page without any would end the program. */
static struct trod_online *open_profile(struct blocks_state *s, const char *text)
{
    char program[4096] = "lua", path[4096], map[4096 + 16], folder[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    struct timespec now;
    struct trod_online_profile profile = {.room = ROOM, .program = program, .map = map};
    struct trod_online_options options = {.text = text, .clock = ticks, .times = times, .profile = &profile};
    struct trod_online *online = NULL;
    const char *why = "the file cannot be created";
    int fd;

    program[n > 0 ? n : 3] = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    options.seed = (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32 ^ (uintptr_t)s;
    profile.pid = (uint64_t)getpid();
    profile.parent = (uint64_t)getppid();
    profile.seconds = (uint64_t)now.tv_sec;
    profile.nanoseconds = (uint32_t)now.tv_nsec;
    profile.directory = getcwd(folder, sizeof folder);
    fd = create(path, sizeof path, program);
    snprintf(map, sizeof map, "%s.trodmap", path);
    if (fd >= 0) {
        profile.size = trod_online_profile_size(MEMORY, &options, &why);
        if (profile.size && posix_fallocate(fd, 0, (off_t)profile.size) == 0)
            profile.file = mmap(NULL, profile.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    if (profile.file && profile.file != MAP_FAILED) {
        s->file = profile.file;
        s->size = profile.size;
        s->map = open(map, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        online = trod_online_create(s->memory, MEMORY, &options, &why);
    }
    if (!online) {
        fprintf(stderr, "lua: %s: nothing is sampled: %s\n", path, why);
        if (fd >= 0)
            unlink(path);
    }
    return online;
}

static int open_trace(const char *name)
{
    if (!name || !*name)
        return -1;
    if (strncmp(name, "fd:", 3) == 0)
        return atoi(name + 3);
    return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static uint32_t add(struct blocks_state *s, const struct trod_online_function *f)
{
    uint32_t first = trod_online_function_find(s->online, f);
    size_t n;
    char *text;

    if (first != TROD_ONLINE_NONE || s->nfunction == ROOM)
        return first;
    n = trod_online_function_text(NULL, 0, f);
    text = malloc(n);
    if (!text)
        return TROD_ONLINE_NONE;
    trod_online_function_text(text, n, f);
    write_all(s->map, text, n);
    free(text);
    s->nfunction++;
    return trod_online_function_add(s->online, f);
}

static void close_state(struct blocks_state *s)
{
    if (s->file)
        munmap(s->file, s->size);
    if (s->map >= 0)
        close(s->map);
    free(s->memory);
    free(s);
}

void blocks_open(global_State *g)
{
    static const uint32_t none[2];
    static const struct trod_online_function other = {
        .name = "functions without room", .file = "?", .nblock = 1,
        .first_line = none, .line_of = none, .first_way = none, .way = none};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *text = getenv("TROD_ONLINE"), *trace = getenv("TROD_BLOCKS");
    struct blocks_state *s = NULL;

    g->blocks.online = NULL;
    g->blocks.state = NULL;
    if (!text && !(trace && *trace))
        return;
    pthread_once(&once, prepare);
    s = calloc(1, sizeof *s);
    if (!s)
        return;
    s->map = s->trace = -1;
    s->born = nfork;
    s->memory = malloc(MEMORY);
    clock_gettime(CLOCK_MONOTONIC, &s->start);
    s->online = s->memory ? open_profile(s, text ? text : "f=never") : NULL;
    if (!s->online) {
        close_state(s);
        return;
    }
    s->other = add(s, &other);
    s->trace = open_trace(trace);
    if (s->trace >= 0) {
        s->skip = s->online->skip;
        s->online->skip = 0;
    }
    g->blocks.state = s;
    g->blocks.online = s->online;
    pthread_mutex_lock(&lock);
    s->next = states;
    states = s;
    pthread_mutex_unlock(&lock);
}

void blocks_close(global_State *g)
{
    struct blocks_state *s = g->blocks.state, **at;

    if (!s)
        return;
    g->blocks.state = NULL;
    pthread_mutex_lock(&lock);
    for (at = &states; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    end(s);
    close_state(s);
}

/* --- names ----------------------------------------------------------------------------------------------- */

static const char *file_of(const Proto *p, char *room)
{
    const char *source = p->source ? getstr(p->source) : "=?";

    if (*source == '@')
        return source + 1;
    luaO_chunkid(room, source, strlen(source));
    return room;
}

static const char *base_of(const char *file)
{
    return strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
}

static const char *constant(const Proto *p, int k)
{
    return k < p->sizek && ttisstring(&p->k[k]) ? svalue(&p->k[k]) : NULL;
}

/* The name of what a register has: a local variable, or what the instruction before the closure got. */
static const char *register_name(const Proto *p, int r, int pc)
{
    const char *name = luaF_getlocalname(p, r + 1, pc);
    Instruction before;

    if (name || !pc)
        return name;
    before = p->code[pc - 1];
    if (GETARG_A(before) != r)
        return NULL;
    switch (GET_OPCODE(before)) {
    case OP_GETTABUP:
    case OP_GETFIELD:
        return constant(p, GETARG_C(before));
    case OP_GETUPVAL:
        return p->upvalues[GETARG_B(before)].name ? getstr(p->upvalues[GETARG_B(before)].name) : NULL;
    default:
        return NULL;
    }
}

/* The name of the closure that the instruction at pc makes, by what is done with it next. False: it has none. */
static int closure_name(char *out, size_t room, const Proto *p, int pc)
{
    int r = GETARG_A(p->code[pc]);
    const char *name = luaF_getlocalname(p, r + 1, pc + 1), *of = NULL;
    Instruction next = p->code[pc + 1];

    if (!name || *name == '(')
        switch (GET_OPCODE(next)) {
        case OP_SETTABUP:
            if (!TESTARG_k(next) && GETARG_C(next) == r)
                name = constant(p, GETARG_B(next));
            break;
        case OP_SETFIELD:
            if (!TESTARG_k(next) && GETARG_C(next) == r) {
                name = constant(p, GETARG_B(next));
                of = register_name(p, GETARG_A(next), pc);
            }
            break;
        case OP_MOVE:
            if (GETARG_B(next) == r)
                name = luaF_getlocalname(p, GETARG_A(next) + 1, pc + 1);
            break;
        case OP_SETUPVAL:
            if (GETARG_A(next) == r && p->upvalues[GETARG_B(next)].name)
                name = getstr(p->upvalues[GETARG_B(next)].name);
            break;
        default:
            break;
        }
    if (name && *name != '(' && of && *of != '(')
        snprintf(out, room, "%s.%s", of, name);
    else if (name && *name != '(')
        snprintf(out, room, "%s", name);
    return name && *name != '(';
}

static void give_name(Proto *p, const char *name)
{
    size_t n = strlen(name) + 1;

    if (p->blocks)
        return;
    p->blocks = malloc(sizeof *p->blocks + n);
    if (!p->blocks)
        return;
    p->blocks->first = TROD_ONLINE_NONE;
    p->blocks->block_of = NULL;
    memcpy(p->blocks->name, name, n);
}

/* Functions within p; recursive like the parser, whose limit on nesting holds here, too. */
static void name_inner(Proto *p)
{
    char name[200], room[LUA_IDSIZE];
    int pc, i;

    for (pc = 0; pc + 1 < p->sizecode; pc++)
        if (GET_OPCODE(p->code[pc]) == OP_CLOSURE && closure_name(name, sizeof name, p, pc))
            give_name(p->p[GETARG_Bx(p->code[pc])], name);
    for (i = 0; i < p->sizep; i++) {
        snprintf(name, sizeof name, "%s:%d", base_of(file_of(p->p[i], room)), p->p[i]->linedefined);
        give_name(p->p[i], name);
        name_inner(p->p[i]);
    }
}

void blocks_load(lua_State *L, Proto *p)
{
    char room[LUA_IDSIZE];

    if (!G(L)->blocks.state)
        return;
    give_name(p, base_of(file_of(p, room)));
    name_inner(p);
}

void blocks_free(Proto *p)
{
    if (p->blocks)
        free(p->blocks->block_of);
    free(p->blocks);
}

/* --- blocks of a function -------------------------------------------------------------------------------- */

struct way {
    int n, to[2]; /* where control goes from an instruction, if that ends a block */
};

static struct way way_of(const Proto *p, int pc)
{
    Instruction i = p->code[pc];

    switch (GET_OPCODE(i)) {
    case OP_JMP:
        return (struct way){1, {pc + 1 + GETARG_sJ(i), 0}};
    case OP_EQ:
    case OP_LT:
    case OP_LE:
    case OP_EQK:
    case OP_EQI:
    case OP_LTI:
    case OP_LEI:
    case OP_GTI:
    case OP_GEI:
    case OP_TEST:
    case OP_TESTSET: /* a jump follows */
        return (struct way){2, {pc + 2, pc + 2 + GETARG_sJ(p->code[pc + 1])}};
    case OP_LFALSESKIP:
        return (struct way){1, {pc + 2, 0}};
    case OP_FORLOOP:
    case OP_TFORLOOP:
        return (struct way){2, {pc + 1 - GETARG_Bx(i), pc + 1}};
    case OP_FORPREP:
        return (struct way){2, {pc + 1, pc + 2 + GETARG_Bx(i)}};
    case OP_CALL:
    case OP_TAILCALL: /* after a function in C that yields, the return that follows is executed */
        return (struct way){1, {pc + 1, 0}};
    default:
        return (struct way){0, {0, 0}};
    }
}

static int ends(const Proto *p, int pc)
{
    OpCode op = GET_OPCODE(p->code[pc]);

    return op == OP_RETURN || op == OP_RETURN0 || op == OP_RETURN1 || way_of(p, pc).n;
}

/* The next instruction of the same block. */
static int next_of(const Proto *p, int pc)
{
    return GET_OPCODE(p->code[pc]) == OP_TFORPREP ? pc + 1 + GETARG_Bx(p->code[pc]) : pc + 1;
}

/* block_of: by instruction, that which begins there, or else before it. Returns their number. */
static uint32_t number_blocks(uint32_t *block_of, const Proto *p)
{
    uint32_t n = 0;
    int pc, k;

    block_of[0] = 1;
    for (pc = 0; pc < p->sizecode; pc++) {
        struct way way = way_of(p, pc);

        for (k = 0; k < way.n; k++)
            block_of[way.to[k]] = 1;
    }
    for (pc = 0; pc < p->sizecode; pc++) {
        n += block_of[pc];
        block_of[pc] = n - 1;
    }
    return n;
}

/* The lines and the ways of a block that begins at pc, at the end of those before it. */
static void describe(const Proto *p, const uint32_t *block_of, int pc, uint32_t *first_line,
    uint32_t *line_of, uint32_t *first_way, uint32_t *way)
{
    uint32_t b = block_of[pc], nline = 0;
    struct way out;
    int k;

    for (;; pc = next_of(p, pc)) {
        int line = luaG_getfuncline(p, pc);

        if (line > 0 && nline < MOST_LINES &&
            (!nline || line_of[first_line[b] + nline - 1] != (uint32_t)line))
            line_of[first_line[b] + nline++] = (uint32_t)line;
        if (ends(p, pc))
            break;
    }
    first_line[b + 1] = first_line[b] + nline;
    out = way_of(p, pc);
    first_way[b + 1] = first_way[b];
    for (k = 0; k < out.n; k++)
        way[first_way[b + 1]++] = block_of[out.to[k]];
}

static uint32_t add_function(struct blocks_state *s, Proto *p, uint32_t n)
{
    struct trod_online_function f = {.name = p->blocks->name, .nblock = n};
    size_t size = 2 * ((size_t)n + 1) + (size_t)n * (MOST_LINES + 2);
    uint32_t *row = calloc(size, sizeof *row), first;
    uint32_t *first_way = row + n + 1, *line = first_way + n + 1, *way = line + (size_t)n * MOST_LINES;
    char room[LUA_IDSIZE];
    int pc;

    if (!row)
        return TROD_ONLINE_NONE;
    for (pc = 0; pc < p->sizecode; pc++)
        if (!pc || p->blocks->block_of[pc] != p->blocks->block_of[pc - 1])
            describe(p, p->blocks->block_of, pc, row, line, first_way, way);
    f.file = file_of(p, room);
    f.line = p->linedefined > 0 ? (uint32_t)p->linedefined : 1;
    f.first_line = row;
    f.line_of = line;
    f.first_way = first_way;
    f.way = way;
    first = add(s, &f);
    free(row);
    return first;
}

/* At the first sample of a function, its blocks get numbers. */
static uint32_t block_at(struct blocks_state *s, Proto *p, int pc)
{
    struct blocks_proto *b = p->blocks;

    if (!b)
        return s->other;
    if (!b->block_of) {
        b->block_of = calloc((size_t)p->sizecode, sizeof *b->block_of);
        if (!b->block_of)
            return s->other;
        b->first = add_function(s, p, number_blocks(b->block_of, p));
    }
    return b->first == TROD_ONLINE_NONE ? s->other : b->first + b->block_of[pc];
}

void blocks_sample(lua_State *L, Proto *p, const Instruction *pc)
{
    struct blocks_hand *hand = &G(L)->blocks;
    struct blocks_state *s = hand->state;
    uint32_t block;

    if (s->born != nfork) {
        hand->online->skip = INT64_MAX;
        return;
    }
    block = block_at(s, p, (int)(pc - p->code));
    if (s->trace < 0) {
        trod_online_sample(s->online, block, 255);
        return;
    }
    s->chunk[4 + s->ntraced++] = block;
    if (s->ntraced == TRACED)
        write_trace(s);
    s->online->skip = s->skip - 1;
    if (s->online->skip < 0)
        trod_online_sample(s->online, block, 255);
    s->skip = s->online->skip;
    s->online->skip = 0;
}

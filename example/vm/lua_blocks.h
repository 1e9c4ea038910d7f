/* lua_blocks: blocks of Lua's bytecode, sampled while scripts run.
 *
 *     jumps, calls and returns of lvm.c -> trod_online -> profile, map -> trod top
 *
 * patch-lua puts the calls into a copy of the interpreter of Lua 5.4. A *block* is what runs from a function's entry, from the target of a
 * jump, from after a conditional jump that is not taken, or from after a call, to the next jump, call or return.
 * doc/production/walkthrough-vm.md is the manual.
 */
#ifndef lua_blocks_h
#define lua_blocks_h

#include <trod/online.h>

#include "lobject.h"

struct lua_State;
struct global_State;
struct CallInfo;

/* Of a state. Its blocks are in the profile of this one. */
struct blocks_state;

struct blocks_hand {
    struct blocks_state *state; /* NULL: nothing is sampled, and the copy does not run */
    struct trod_online *online; /* what the copy subtracts from */
};

/* A block begins at pc. Three instructions while blocks are skipped. */
#define blocks_begin(online, p, pc)                                                    \
    {                                                                                  \
        if (l_unlikely(--(online)->skip < 0))                                          \
            blocks_sample(L, p, pc);                                                   \
    }

/* luaV_execute of the copy. */
void blocks_execute(struct lua_State *L, struct CallInfo *ci);
void blocks_open(struct global_State *g);
void blocks_close(struct global_State *g);
/* A chunk was loaded: give its functions names. */
void blocks_load(struct lua_State *L, Proto *p);
/* A function goes; its numbers stay. */
void blocks_free(Proto *p);
void blocks_sample(struct lua_State *L, Proto *p, const Instruction *pc);

#endif

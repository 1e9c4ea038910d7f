# trod.  `make` builds; `make help` lists the rest.
#
# One Makefile, no recursion but to switch configurations: each has a folder of
# its own under build/, so that none ever rebuilds another's objects.

# The order of the stages, with the group of each; tools/check-layers keeps it equal here, in src/stages.h and in
# layers.txt.
STAGES = base \
    path/graph path/number path/probe \
    data/grammar data/profile data/map \
    view/report view/flow \
    sample/burst sample/stream sample/online \
    test/pathset test/suite \
    across/wpp across/segment across/super \
    hw/branch lab/model lab/timing lab/edit hw/lift lab/explore \
    version/construct version/change version/impact version/entry version/match version/sequence version/migrate version/score \
    view/export view/page
PORTS  = capstone cc child cxx dwfl elf file glpk graphviz gzip ipt ncurses pprof profdata zstd

CONFIG ?= release
PREFIX ?= /usr/local
# An hour for each reader, and which of them: FUZZ='profile map' for some.
FUZZ_SECONDS ?= 3600
FUZZ ?= $(FUZZ_SRC:fuzz/fuzz_%.c=%)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CLANG = clang-19

# --- flags -------------------------------------------------------------------

# Make's own default is cc; ours is gcc.  A CC from outside is respected.
ifeq ($(origin CC),default)
CC = gcc
endif

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
    -Wpointer-arith -Wwrite-strings -Wundef -Wcast-qual -Wformat-security
ifneq ($(WERROR),0)
WARN += -Werror
endif

# A header is included by its stage: "graph/graph.h".
GROUPS = $(sort $(patsubst %/,%,$(dir $(filter-out base,$(STAGES)))))
INCLUDES = -Isrc $(GROUPS:%=-Isrc/%) -Iport -Icli -Iinclude -Itest -Ibuild/made
LANGUAGE = -std=c11 -D_GNU_SOURCE $(INCLUDES)
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer

ifeq ($(CONFIG),release)
OPT = -O2 -g
else ifeq ($(CONFIG),debug)
OPT = -O0 -g -DTROD_CHECKED=1
else ifeq ($(CONFIG),asan)
CC = $(CLANG)
# Lines are enough for a stack trace, and lld links a hundred programs in the time that ld takes for twenty.
OPT = -O1 -gline-tables-only -DTROD_CHECKED=1 $(SANITIZE)
LDFLAGS += -fuse-ld=lld
else ifeq ($(CONFIG),fuzz)
# Not for users: what `make fuzz` builds the library with.
CC = $(CLANG)
OPT = -O1 -g -DTROD_CHECKED=1 $(SANITIZE) -fsanitize=fuzzer-no-link
else
$(error CONFIG=$(CONFIG) is not one of release, debug, asan)
endif

# V=1 shows the commands.
ifneq ($(V),1)
Q = @
say = @printf '  %-5s %s\n' $(1) $(2)
endif

# Position-independent, because the library is also a part of the compiler's plugin.
COMPILE = $(CC) $(LANGUAGE) $(WARN) $(OPT) -fPIC $(CPPFLAGS) $(CFLAGS)
LINK    = $(CC) $(OPT) $(CFLAGS) $(LDFLAGS)
LIBS    = -lcapstone -ldw -lelf -lglpk -lipt -lprotobuf-c -lzstd -lz -lncursesw -ltinfo -lstdc++ -lm

# --- what there is -----------------------------------------------------------

B = build/$(CONFIG)
object = $(patsubst %.c,$(B)/obj/%.o,$(1))

LIB_SRC   = $(foreach s,$(STAGES),$(wildcard src/$(s)/*.c src/$(s)/read/*.c))
PORT_SRC  = $(foreach p,$(PORTS),$(wildcard port/$(p)/*.c))
PUBLIC_SRC = $(wildcard library/*.c)
CLI_SRC   = $(wildcard cli/*.c cli/*/*.c)
MEANING_SRC = $(wildcard port/meaning/*.c)
LLVM_SRC  = $(wildcard port/llvm/*.c port/llvm/*/*.c)
QEMU_SRC  = $(wildcard port/qemu/*.c)
CLANG_SRC = $(wildcard port/clang/*.c port/clang/*/*.c)
RT_SRC    = $(filter-out runtime/library/%,$(wildcard runtime/*.c runtime/*/*.c))
BURST_SRC = $(addprefix runtime/burst/burst_,options.c plan.c draw.c budget.c change.c) runtime/control/budget.c
PLAN_SRC  = $(BURST_SRC) runtime/library/burst_library.c
ONLINE_SRC = $(wildcard runtime/online/sampler*.c) runtime/control/budget.c $(wildcard runtime/library/online_*.c)
KIT_SRC   = $(wildcard test/kit/*.c)
TEST_SRC  = $(wildcard test/unit/*.c test/prop/*.c)
FUZZ_SRC  = $(wildcard fuzz/*.c)
BENCH_SRC = $(wildcard bench/*.c)
C_SRC     = $(LIB_SRC) $(PUBLIC_SRC) $(PORT_SRC) $(LLVM_SRC) $(MEANING_SRC) $(QEMU_SRC) $(CLANG_SRC) $(RT_SRC) $(wildcard runtime/library/*.c) $(CLI_SRC) $(KIT_SRC) $(TEST_SRC) \
    $(FUZZ_SRC) fuzz/replay/replay.c $(BENCH_SRC)
HEADERS   = $(wildcard include/trod/*.h src/*.h src/*/*.h src/*/*/*.h src/*/*/read/*.h port/*/*.h port/*/*/*.h cli/*.h cli/*/*.h \
    test/*/*.h fuzz/*.h bench/*.h)

# All stages, for what is built here.
LIB    = $(B)/libstages.a
# For programs of others: include/trod/trod.h and no other symbol.
PUBLIC = $(if $(filter release debug,$(CONFIG)),$(B)/libtrod.a)
PORT   = $(B)/libport.a
KIT    = $(B)/libkit.a
ONLINE = $(B)/libtrod-online.a
PLAN = $(B)/libplan.a
TROD   = $(if $(CLI_SRC),$(B)/trod)
# What `trod cc` adds to a program. Sanitizers cannot go into clang, nor into users' programs.
ADDED  = $(if $(filter release debug,$(CONFIG)),$(B)/trod-llvm.so $(B)/trod-qemu.so $(B)/trod-clang $(B)/libtrod-rt.a \
    $(OTHER_MACHINES:%=$(B)/libtrod-rt-%.a) $(OLDER_LLVM:%=$(B)/trod-llvm-%.so))
# Versions besides CLANG's that the plugin is built for, where they are installed.
OLDER_LLVM := $(foreach v,16,$(if $(shell command -v llvm-config-$(v)),$(v)))
# Machines besides this one that there are a compiler and a libc for: they get a runtime.
OTHER_MACHINES := $(foreach m,$(filter-out $(shell uname -m),aarch64 x86_64), \
    $(if $(shell $(m)-linux-gnu-gcc -E -x c -include pthread.h /dev/null 2>&1 | grep -w pthread_create),$(m)))
TESTS  = $(TEST_SRC:%.c=$(B)/%)
REPLAY = $(FUZZ_SRC:fuzz/%.c=$(B)/replay/%)
BENCH  = $(BENCH_SRC:%.c=$(B)/%)

# --- building ----------------------------------------------------------------

.PHONY: all tests quick-tests generated demo test test-full lint format accept fuzz fuzzers bench \
    benches seeds size clean install uninstall help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(TROD) $(PUBLIC) $(ONLINE) $(ADDED) ## build trod and libtrod.a (CONFIG=release|debug|asan)

# Where users and scripts look, whatever the configurations are called.
ifeq ($(CONFIG),release)
all: build/libtrod.a build/libtrod-online.a $(if $(CLI_SRC),build/trod)
build/trod build/libtrod.a build/libtrod-online.a: build/%: build/release/%
	@ln -sfn release/$* $@
endif

# What `make test` runs, of one configuration: test/run says which tests want which.
ifeq ($(CONFIG),asan)
quick-tests: $(TROD) $(filter $(B)/test/unit/%,$(TESTS)) $(REPLAY)
else
quick-tests: all $(filter $(B)/test/prop/%,$(TESTS))
endif
# Everything that `make test-full` runs.
tests: all $(TESTS) $(REPLAY) $(BENCH)
fuzzers: $(FUZZ_SRC:%.c=$(B)/%)
benches: $(BENCH)

# Objects depend on the flags they were built with and archives on what they
# are made of: another CC rebuilds, a source that is gone leaves no member.
$(B)/flags: STATE = $(COMPILE) $(LINK)
$(B)/sources: STATE = $(LIB_SRC) $(PORT_SRC) $(KIT_SRC) $(VIEW)
$(B)/flags $(B)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(STATE)' | cmp -s - $@ || echo '$(STATE)' >$@

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

# What the page is made of in a browser, as a part of the library.
VIEW = $(wildcard src/view/page/view/*.* src/view/page/view/*/*)
VIEW_OBJ = $(B)/obj/view/page_view.o
$(B)/view/page_view.c: tools/embed $(VIEW) $(B)/sources
	@mkdir -p $(@D)
	$(call say,embed,src/view/page/view)
	$(Q)tools/embed src/view/page/view >$@

$(VIEW_OBJ): $(B)/view/page_view.c src/view/page/page.h $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

# What protoc-c makes of a description is not ours to warn about.
MADE = build/made/pprof/profile.pb-c
$(MADE).c $(MADE).h &: port/pprof/profile.proto
	@mkdir -p $(@D)
	$(call say,proto,$<)
	$(Q)protoc-c --c_out=build/made -Iport pprof/profile.proto
$(B)/obj/$(MADE).o: WARN = -w
$(B)/obj/port/pprof/pprof_port.o: $(MADE).h

$(LIB): $(call object,$(LIB_SRC)) $(VIEW_OBJ)
$(PORT): $(call object,$(PORT_SRC)) $(B)/obj/$(MADE).o
$(KIT): $(call object,$(KIT_SRC))
$(LIB) $(PORT) $(KIT): $(B)/sources
	@rm -f $@
	$(call say,ar,$@)
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

# One object, in which every symbol that is not in the public header is local.
$(PUBLIC): $(call object,$(PUBLIC_SRC)) $(PORT) $(LIB)
	$(call say,ar,$@)
	$(Q)$(LD) -r -o $(B)/trod_data.o $^
	$(Q)objcopy --wildcard --keep-global-symbol='trod_data_*' --keep-global-symbol=trod_api \
	    --keep-global-symbol=trod_version $(B)/trod_data.o
	@rm -f $@
	$(Q)$(AR) rcs $@ $(B)/trod_data.o

$(B)/trod: $(call object,$(CLI_SRC)) $(PORT) $(LIB) $(ONLINE) $(PLAN)
	$(call say,link,$@)
	$(Q)$(LINK) -o $@ $(filter %.o %.a,$^) $(LIBS)

# The plugin is C and one bridge in C++, compiled and linked as LLVM itself was.
LLVM_INCLUDE = $(shell llvm-config-19 --includedir)
$(call object,$(LLVM_SRC) $(MEANING_SRC)): LANGUAGE += -isystem $(LLVM_INCLUDE)

BRIDGE_SRC = $(wildcard port/llvm/bridge/*.cpp)
BRIDGE_OBJ = $(BRIDGE_SRC:%.cpp=$(B)/obj/%.o)
$(BRIDGE_OBJ): $(B)/obj/%.o: %.cpp $(wildcard port/llvm/bridge/*.h*) $(B)/flags
	@mkdir -p $(@D)
	$(call say,c++,$<)
	$(Q)$(CLANG:clang%=clang++%) -std=c++17 -fno-exceptions -fno-rtti -O2 -g -fPIC -Wall \
	    -Iport -isystem $(LLVM_INCLUDE) $(CPPFLAGS) $(CXXFLAGS) -c -o $@ $<

$(B)/trod-llvm.so: $(BRIDGE_OBJ) $(call object,$(LLVM_SRC) $(MEANING_SRC)) $(PORT) $(LIB) $(ONLINE) $(PLAN)
	$(call say,link,$@)
	$(Q)$(CLANG:clang%=clang++%) -shared -Wl,--exclude-libs,ALL $(LDFLAGS) -o $@ $^ -lzstd -lm

# The same sources for an older LLVM: what that lacks is in bridge/older.h.
define plugin_for
$(B)/obj/llvm-$(1)/%.o: %.cpp $(wildcard port/llvm/bridge/*.h*) $(B)/flags
	@mkdir -p $$(@D)
	$$(call say,c++,"$$< for LLVM $(1)")
	$$(Q)$$(CLANG:clang%=clang++%) -std=c++17 -fno-exceptions -fno-rtti -O2 -g -fPIC -Wall \
	    -Iport -isystem $(shell llvm-config-$(1) --includedir) $$(CPPFLAGS) $$(CXXFLAGS) -c -o $$@ $$<
$(B)/obj/llvm-$(1)/%.o: %.c $(B)/flags
	@mkdir -p $$(@D)
	$$(call say,cc,"$$< for LLVM $(1)")
	$$(Q)$$(COMPILE) -isystem $(shell llvm-config-$(1) --includedir) -include port/llvm/bridge/older.h -MMD -MP -c -o $$@ $$<
$(B)/trod-llvm-$(1).so: $(BRIDGE_SRC:%.cpp=$(B)/obj/llvm-$(1)/%.o) \
    $(patsubst %.c,$(B)/obj/llvm-$(1)/%.o,$(LLVM_SRC) $(MEANING_SRC)) $(PORT) $(LIB) $(ONLINE) $(PLAN)
	$$(call say,link,$$@)
	$$(Q)$$(CLANG:clang%=clang++%) -shared -Wl,--exclude-libs,ALL $$(LDFLAGS) -o $$@ $$^ -lzstd -lm
endef
$(foreach v,$(OLDER_LLVM),$(eval $(call plugin_for,$(v))))

# The emulator's plugin runs once for each block that the guest runs.
$(B)/trod-qemu.so: $(call object,$(QEMU_SRC) port/capstone/branch_insn.c port/zstd/zstd_port.c) $(LIB)
	$(call say,link,$@)
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -o $@ $^ -lcapstone -lzstd -lm

# What reads sources: a program of its own, so that trod needs no LLVM.
$(call object,$(CLANG_SRC)): LANGUAGE += -isystem $(LLVM_INCLUDE)

$(B)/trod-clang: $(call object,$(CLANG_SRC) $(MEANING_SRC) port/child/child.c) $(LIB)
	$(call say,link,$@)
	$(Q)$(LINK) -o $@ $^ -L$(shell llvm-config-19 --libdir) -lclang-19 -lLLVM-19 -lm

# The runtime goes into other people's programs: hidden, without assertions, without what
# a hardened default would pull in.
$(call object,$(RT_SRC)): INCLUDES = -Iinclude -Iruntime
RT_OPT = -O2 -g -DNDEBUG -fvisibility=hidden -ffreestanding \
    -ffunction-sections -fdata-sections -fno-stack-protector -fno-lto
$(call object,$(RT_SRC)): OPT = $(RT_OPT)
# Whatever the rest is hardened with: it has no stack protector to call, and no libc that checks lengths.
RT_FLAGS := $(filter -ffile-prefix-map=% -fdebug-prefix-map=%,$(CFLAGS))
$(call object,$(RT_SRC)): override CFLAGS = $(RT_FLAGS)
$(call object,$(RT_SRC)): override CPPFLAGS =
# Called from code with values in any register: see runtime/online/online_block.c.
RT_PLAIN = runtime/online/online.c runtime/online/sampler_budget.c $(addprefix runtime/burst/,burst.c burst_time.c burst_watch.c burst_meter.c refs.c heap.c) runtime/control/meter_kernel.c $(BURST_SRC)
$(call object,$(RT_PLAIN)): OPT += -mgeneral-regs-only
# What runs at most once in a process, thread or file: small rather than fast, because it is a part of every program.
RT_SELDOM = $(addprefix runtime/,finish.c image.c name.c note.c os.c os_process.c os_start.c shared.c start.c unwind.c control/control.c control/control_self.c \
    burst/burst_control.c burst/burst_change.c burst/meter_open.c \
    burst/burst_options.c burst/burst_report.c burst/burst_report_shared.c online/sampler_options.c online/sampler_text.c)
$(call object,$(RT_SELDOM)): OPT += -Os

# The same for other machines, with Debian's cross compilers. Atomic operations are instructions, not calls of libgcc.
define runtime_for
$(B)/libtrod-rt-$(1).a: $(RT_SRC:%.c=$(B)/obj/$(1)/%.o)
	@rm -f $$@
	$$(call say,ar,$$@)
	$$(Q)$(1)-linux-gnu-ar rcs $$@ $$^
$(RT_PLAIN:%.c=$(B)/obj/$(1)/%.o): OPT_$(1) += -mgeneral-regs-only
$(RT_SELDOM:%.c=$(B)/obj/$(1)/%.o): OPT_$(1) += -Os
$(B)/obj/$(1)/%.o: %.c $(B)/flags
	@mkdir -p $$(@D)
	$$(call say,cc,"$$< for $(1)")
	$$(Q)$(1)-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -Iinclude -Iruntime $$(WARN) $$(RT_OPT) -fPIC \
	    $$(RT_FLAGS) $(if $(filter aarch64,$(1)),-mno-outline-atomics) $$(OPT_$(1)) -MMD -MP -c -o $$@ $$<
endef
$(foreach m,$(OTHER_MACHINES),$(eval $(call runtime_for,$(m))))

# Its sampler as a library for others, the same code; sanitizers may see it here.
ONLINE_OBJ = $(ONLINE_SRC:%.c=$(B)/obj/online/%.o)
PLAN_OBJ = $(PLAN_SRC:%.c=$(B)/obj/online/%.o)
$(ONLINE_OBJ) $(PLAN_OBJ): INCLUDES = -Iinclude -Iruntime
ifneq ($(filter release debug,$(CONFIG)),)
$(ONLINE_OBJ) $(PLAN_OBJ): OPT = $(RT_OPT)
$(ONLINE_OBJ) $(PLAN_OBJ): override CFLAGS = $(RT_FLAGS)
$(ONLINE_OBJ) $(PLAN_OBJ): override CPPFLAGS =
endif
$(B)/obj/online/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,cc,"$< for others")
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

$(B)/libtrod-rt.a: $(call object,$(RT_SRC))
$(ONLINE): $(ONLINE_OBJ)
$(PLAN): $(PLAN_OBJ)
$(B)/libtrod-rt.a $(ONLINE) $(PLAN):
	@rm -f $@
	$(call say,ar,$@)
	$(Q)$(AR) rcs $@ $^

# What tests and measures the sampler looks into it.
$(B)/obj/%/test_sampler.o $(B)/obj/%/test_sampler_budget.o $(B)/obj/%/test_sampler_estimates.o $(B)/obj/%/sampler_feed.o $(B)/obj/%/prop_sampler.o: \
    INCLUDES += -Iruntime
$(B)/obj/%/test_burst_plan.o $(B)/obj/%/test_burst_change.o $(B)/obj/%/test_burst_budget.o $(B)/obj/%/prop_burst_plan.o: INCLUDES += -Iruntime
$(B)/obj/bench/online.o $(B)/obj/bench/encodings.o: INCLUDES += -Iruntime

$(B)/test/%: $(B)/obj/test/%.o $(KIT) $(PORT) $(LIB) $(ONLINE) $(PLAN)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka $(LIBS)

$(B)/fuzz/%: $(B)/obj/fuzz/%.o $(PORT) $(LIB) $(ONLINE) $(PLAN)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(B)/replay/%: $(B)/obj/fuzz/%.o $(B)/obj/fuzz/replay/replay.o $(PORT) $(LIB) $(ONLINE) $(PLAN)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

$(B)/bench/%: $(B)/obj/bench/%.o $(KIT) $(PORT) $(LIB) $(ONLINE) $(PLAN)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

-include $(patsubst %.o,%.d,$(call object,$(C_SRC)) $(ONLINE_OBJ) $(PLAN_OBJ) $(VIEW_OBJ) \
    $(foreach m,$(OTHER_MACHINES),$(RT_SRC:%.c=$(B)/obj/$(m)/%.o)) \
    $(foreach v,$(OLDER_LLVM),$(patsubst %.c,$(B)/obj/llvm-$(v)/%.o,$(LLVM_SRC) $(MEANING_SRC))))

# --- running -----------------------------------------------------------------

# As parallel as the machine, unless the caller said how parallel.
MAKE_J = +$(MAKE) --no-print-directory \
    $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

demo: ## install what is missing, build, run the demonstration
	tools/deps demo
	$(MAKE_J) CONFIG=release all
	example/demo

test: ## install what is missing, build, run the quick tests
	tools/deps test
	tools/qemu --for-tests x86_64
	$(MAKE_J) CONFIG=release quick-tests
	$(MAKE_J) CONFIG=asan quick-tests
	@test/run

test-full: ## everything: lint, slow suites, deeper properties, 20 seconds of fuzzing each
	tools/deps all
	tools/qemu --for-tests x86_64 aarch64 riscv64
	$(MAKE_J) lint-all
	$(MAKE_J) fuzz FUZZ_SECONDS=$(if $(filter file,$(origin FUZZ_SECONDS)),20,$(FUZZ_SECONDS))
	$(MAKE_J) CONFIG=release tests
	$(MAKE_J) CONFIG=asan tests
	@test/run --full

accept: ## rewrite the expectations of the case files; review the diff
	$(MAKE_J) CONFIG=release all
	@perl test/case/run.t --accept

generated: ## rewrite man pages, completions and doc/seeds.md, which are printed by scripts
	$(MAKE_J) CONFIG=release all
	@tools/generate build/release/trod

fuzz: ## run every fuzz target, or FUZZ='profile map', for FUZZ_SECONDS (3600)
	$(MAKE_J) CONFIG=fuzz fuzzers
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz $(FUZZ)

bench: ## run the benchmarks, or TABLES="cost place"; SUBJECTS="lua re2" for a quick look
	tools/deps bench
	$(MAKE_J) CONFIG=release all benches
	SUBJECTS='$(SUBJECTS)' bench/run $(TABLES)

seeds: ## measure again what doc/seeds.md compares with published figures: hours; QUICK=1: a part
	tools/deps bench
	$(MAKE_J) CONFIG=release all benches
	TABLES='$(TABLES)' SUBJECTS='$(SUBJECTS)' bench/repeat $(if $(QUICK),--quick)

# --- the house in order ------------------------------------------------------

SHELL_SRC = $(wildcard .ci/run dist/package/cmake-launch bench/run bench/across bench/burst bench/burst_overlap bench/cost bench/counted bench/hardware bench/hottest bench/levers bench/live bench/operations bench/recorded bench/repeat bench/residual bench/servers bench/subpaths bench/*.sh bench/server/* bench/subject/* bench/unseen/* example/demo example/vm/build-lua test/run \
    test/kit/*.sh test/cli/*.t test/runtime/*.t test/runtime/*.sh test/program/*.t \
    $(filter-out tools/trod_read,$(wildcard tools/*)) \
    $(filter-out test/real/subject,$(wildcard test/real/*)) test/real/subject/* test/export/*.t test/page/*.t)
L = build/lint
# Every source by itself, wherever it comes from.
LINT_LANGUAGE = $(LANGUAGE) -Iruntime -isystem $(LLVM_INCLUDE)

lint: ## install what is missing, check formatting, layers, map, phrases, static analysis
	tools/deps lint
	$(MAKE_J) lint-all

# One stamp per file and tool, which depends on what the file includes: lint costs only what changed.
.PHONY: lint-all lint-format lint-tree
lint-all: lint-format lint-tree $(C_SRC:%=$(L)/tidy/%) $(C_SRC:%=$(L)/gcc/%.o) \
    $(L)/cppcheck $(L)/shellcheck

lint-format:
	$(call say,format,"$(words $(C_SRC) $(HEADERS)) files")
	$(Q)tools/check-format $(C_SRC) $(HEADERS)

lint-tree:
	tools/check-layers
	tools/check-map
	tools/check-phrases

$(L)/tidy/port/pprof/pprof_port.c $(L)/gcc/port/pprof/pprof_port.c.o: | $(MADE).h

# The analyzer's default of 225,000 nodes a function takes three times as long; gcc's looks at the same code.
TIDY_NODES = -Xclang -analyzer-config -Xclang max-nodes=40000

$(L)/tidy/%: % .clang-tidy
	@mkdir -p $(@D)
	$(call say,tidy,$<)
	$(Q)clang-tidy-19 --quiet --warnings-as-errors='*' $< -- $(LINT_LANGUAGE) \
	    $(TIDY_NODES) -DTROD_CHECKED=1 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

# -O1: the analyzer sees through small functions.  The object is waste, but also
# the stamp.
$(L)/gcc/%.o: %
	@mkdir -p $(@D)
	$(call say,gcc,"-fanalyzer $<")
	$(Q)gcc $(LINT_LANGUAGE) $(filter-out -Werror,$(WARN)) -Werror -O1 -fanalyzer \
	    -Wlogical-op -Wduplicated-cond -Wduplicated-branches \
	    -DTROD_CHECKED=1 -MMD -MP -MT '$@ $(L)/tidy/$<' -c -o $@ $<
-include $(C_SRC:%=$(L)/gcc/%.d)

$(L)/cppcheck: $(C_SRC) $(HEADERS) .cppcheck
	@mkdir -p $(@D)
	$(call say,check,"$(words $(C_SRC)) files with cppcheck")
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --suppressions-list=.cppcheck --error-exitcode=1 \
	    -j$(JOBS) -D_GNU_SOURCE -DTROD_CHECKED=1 $(filter-out -Ibuild/%,$(INCLUDES)) $(C_SRC)
	@touch $@

$(L)/shellcheck: $(SHELL_SRC)
	@mkdir -p $(@D)
	$(call say,check,"scripts with shellcheck")
	$(Q)shellcheck -x $$(grep -lE '^#!.*\b(ba)?sh\b|^# shellcheck shell' $^)
	@touch $@

format: ## lay out the C sources
	clang-format-19 -i $(C_SRC) $(HEADERS)

size: ## list files and functions that grew long; fails nothing
	@tools/size

clean: ## remove what was built
	rm -rf build

# --- installing --------------------------------------------------------------

LIBDIR ?= $(PREFIX)/lib
# What libtrod.a needs: LIBS is for all ports.
LIB_LIBS = -lelf -lzstd -lz -lstdc++ -lm
VERSION = $(shell sed -n 's/^\#define TROD_VERSION "\(.*\)"/\1/p' src/base/base.h)
PLACE = BUILD=$(B) DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' \
    VERSION='$(VERSION)' LIBS='$(LIB_LIBS)' PARTS='$(ADDED)'

# tools/install has the list of files, for both.
install: all ## install under DESTDIR, PREFIX (/usr/local) and LIBDIR (PREFIX/lib)
	$(Q)$(PLACE) tools/install

uninstall: ## remove what install put there
	$(Q)$(PLACE) tools/install --remove

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | \
	    awk -F '\t' '{ printf "  %-10s %s\n", $$1, $$2 }'

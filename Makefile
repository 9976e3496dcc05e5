# Cyclosolve: one Makefile for everything. `make help` lists the goals.
#
# Variables a person may set:
#   CC=gcc|clang                     compiler (default gcc)
#   SANITIZE=address|undefined|thread|address,undefined
#   DEBUG=1                          -O1 and the hot assertions (CYCLOSOLVE_DEBUG)
#   WERROR=1                         warnings are errors; lint and CI set it
#   V=1                              print every command
#   TEST=name                        run only the tests (or parts of `make load`) whose name contains this
#   WEB=0                            `make test` leaves out the tests of the web page
#   NEON=0                           `make test` leaves out the emulated kernels of AArch64
#   PREFIX=/usr/local DESTDIR=       where `install` puts things
#
# All flags are hashed into the build folder's name, so builds with different flags never mix and
# switching back costs nothing.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# ---- what a person chose -------------------------------------------------------------------

ifeq ($(origin CC),default)
CC := gcc
endif
AR := ar
PREFIX ?= /usr/local
SANITIZE ?=
PYTHON ?= python3

SANITIZERS := address undefined thread address,undefined
ifneq ($(SANITIZE),)
ifeq ($(filter $(SANITIZE),$(SANITIZERS)),)
$(error SANITIZE='$(SANITIZE)' is not known; choose one of: $(SANITIZERS))
endif
endif

Q := $(if $(filter 1,$(V)),,@)
SILENT := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
SAY = @$(if $(filter 1,$(V))$(SILENT),:,printf '  %-5s %s\n')
ARCH := $(shell uname -m)

# ---- compiler and libraries ----------------------------------------------------------------

PACKAGES := libmicrohttpd jansson libuv sqlite3 libxxhash nettle
TEST_PACKAGES := check
APT_PACKAGES := gcc libc6-dev make pkg-config libmicrohttpd-dev libjansson-dev libuv1-dev \
    libsqlite3-dev libxxhash-dev nettle-dev python3 check
APT_PACKAGES_TEST := $(APT_PACKAGES) clang clang-format curl python3-jsonschema

# Goals that compile nothing must work on a host without compiler and libraries.
COMPILING := $(filter-out help deps deps-test demo clean format web-viewer check-web,$(or $(MAKECMDGOALS),all))
COMPILER := $(shell $(CC) --version 2>/dev/null | head -n 1)
ifeq ($(COMPILER),)
ifneq ($(COMPILING),)
$(error the compiler '$(CC)' is not installed. Run `make deps`, or set CC=gcc or CC=clang)
endif
endif

ifneq ($(COMPILING),)
NEEDED := $(PACKAGES) $(if $(filter check% test soak bench% torture load fuzz% objects lint,$(COMPILING)),$(TEST_PACKAGES))
MISSING := $(shell for p in $(NEEDED); do pkg-config --exists $$p 2>/dev/null || echo $$p; done)
ifneq ($(MISSING),)
$(error not installed: $(MISSING). Run `make deps`, or: apt-get install $(APT_PACKAGES))
endif
LIB_CFLAGS := $(shell pkg-config --cflags $(PACKAGES))
LIB_LDLIBS := $(shell pkg-config --libs $(PACKAGES))
TEST_LDLIBS := $(shell pkg-config --libs $(TEST_PACKAGES) 2>/dev/null)
endif

# ---- flags ---------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
    -Wcast-qual -Wwrite-strings -Wvla -Wundef $(if $(filter 1,$(WERROR)),-Werror)

OPTIMISE := $(if $(filter 1,$(DEBUG)),-O1,-O2) $(if $(SANITIZE)$(filter 1,$(DEBUG)),-DCYCLOSOLVE_DEBUG) -g
HARDEN := -fPIE -fstack-protector-strong $(if $(SANITIZE),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
# gcc's flow analysis does not see through the code that sanitizers insert and warns falsely.
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
    -fno-omit-frame-pointer $(if $(findstring clang,$(COMPILER)),,-Wno-maybe-uninitialized))

CFLAGS_ALL := -std=c11 -D_GNU_SOURCE -I. $(OPTIMISE) $(WARNINGS) $(HARDEN) $(SANITIZE_FLAGS) \
    $(LIB_CFLAGS) -pthread $(CFLAGS)
LDFLAGS_ALL := -pie -pthread -Wl,-z,relro,-z,now -Wl,--as-needed $(SANITIZE_FLAGS) $(LDFLAGS)
LDLIBS_ALL := $(LIB_LDLIBS) -lpthread -lm

# One instruction set per file of core, named by the file's suffix (foo_avx2.c, foo_avx2_inl.h) and
# chosen at run time; the rest of the tree is compiled for the oldest processor of the architecture.
# Never -march=native. What a suffix enables is what core/cpu calls by that name.
SIMD_SUFFIXES := avx2 avx512 avx512vbmi neon
SIMD_x86_64 := avx2 avx512 avx512vbmi
SIMD_aarch64 := neon
ISA_avx2 := -mavx2 -mbmi -mbmi2 -mpopcnt -mlzcnt
ISA_avx512 := $(ISA_avx2) -mavx512f -mavx512bw -mavx512vl -mavx512dq
ISA_avx512vbmi := $(ISA_avx512) -mavx512vbmi
ISA_neon :=
suffix_of = $(lastword $(subst _, ,$(patsubst %_inl,%,$(basename $(notdir $(filter core/% tests/support/%,$(1)))))))
isa_flags = $(if $(filter $(SIMD_SUFFIXES),$(call suffix_of,$(1))),$(ISA_$(call suffix_of,$(1))))

FLAG_HASH := $(shell printf '%s' '$(CC) $(COMPILER) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(ISA_avx512vbmi)' \
    | cksum | awk '{ printf "%08x", $$1 }')
BUILD := build/$(FLAG_HASH)

# ---- sources -------------------------------------------------------------------------------

FOREIGN_SIMD := $(filter-out $(SIMD_$(ARCH)),$(SIMD_SUFFIXES))
for_this_arch = $(filter-out $(foreach s,$(FOREIGN_SIMD),%_$(s).c),$(1))
objects_of = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

CORE_SRC := $(call for_this_arch,$(wildcard core/*/*.c))
PROTO_SRC := $(wildcard proto/*.c)
CONFIG_SRC := $(wildcard config/*.c)
# The entries of the programs belong to no library.
SERVER_MAIN := $(wildcard server/server_main.c server/server_tool_main.c)
SERVER_SRC := $(filter-out $(SERVER_MAIN),$(wildcard server/*.c))
SUPPORT_SRC := $(call for_this_arch,$(wildcard tests/support/*.c))
UNIT_SRC := $(wildcard tests/unit/test_*.c)
LONG_SRC := $(wildcard tests/long/test_*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)
TORTURE_SRC := $(wildcard tests/torture/*.c)
LOAD_SRC := $(wildcard tests/load/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_HARNESS := $(wildcard tests/fuzz/harness_*.c)
FAULT_SRC := $(wildcard tests/fault/*.c)
ALL_SRC := $(CORE_SRC) $(PROTO_SRC) $(CONFIG_SRC) $(SERVER_SRC) $(SERVER_MAIN) \
    $(SUPPORT_SRC) $(UNIT_SRC) $(LONG_SRC) $(BENCH_SRC) $(TORTURE_SRC) $(LOAD_SRC) \
    $(FUZZ_SRC) $(FUZZ_HARNESS) $(FAULT_SRC)

LIB_CORE := $(BUILD)/libcyclosolve_core.a
LIB_PROTO := $(BUILD)/libcyclosolve_proto.a
LIB_CONFIG := $(BUILD)/libcyclosolve_config.a
LIB_SERVER := $(BUILD)/libcyclosolve_server.a
LIB_SUPPORT := $(BUILD)/libcyclosolve_support.a
LIBS_ALL := $(LIB_SERVER) $(LIB_CONFIG) $(LIB_PROTO) $(LIB_CORE)

# The web page, as C data; with the viewer of `make web-viewer` if that was built.
WEB_VIEWER := build/web-viewer
WEB_TOOLS := build/web-tools
WEB_SRC := $(wildcard server/web/*.*) $(wildcard $(WEB_VIEWER)/*)
WEB_DATA := $(BUILD)/web/server_web_data.c
WEB_OBJECT := $(WEB_DATA:.c=.o)

DAEMON := $(BUILD)/cyclosolved
TOOL := $(BUILD)/cyclosolve
UNIT := $(patsubst %.c,$(BUILD)/%,$(UNIT_SRC))
LONG := $(patsubst %.c,$(BUILD)/%,$(LONG_SRC))
BENCH := $(patsubst %.c,$(BUILD)/%,$(BENCH_SRC))
TORTURE := $(BUILD)/tests/torture/torture_worker
LOAD := $(BUILD)/tests/load/load_client
FAULT := $(BUILD)/tests/fault/fault_preload.so
# Each fuzz target as a unit test over its corpus, and under libFuzzer.
FUZZ := $(patsubst %.c,$(BUILD)/%,$(FUZZ_SRC))
FUZZ_DRIVEN := $(patsubst %.c,$(BUILD)/%_driven,$(FUZZ_SRC))

# A unit test links only what its subject may know: test_<core folder>_* the core alone,
# test_proto_* and test_config_* what lies below the server, all others everything.
CORE_FOLDERS := $(notdir $(patsubst %/,%,$(dir $(wildcard core/*/.))))
subject_of = $(firstword $(subst _, ,$(patsubst test_%,%,$(notdir $(1)))))
UNIT_CORE := $(foreach t,$(UNIT),$(if $(filter $(CORE_FOLDERS),$(call subject_of,$(t))),$(t)))
UNIT_MIDDLE := $(foreach t,$(UNIT),$(if $(filter proto config,$(call subject_of,$(t))),$(t)))
UNIT_OTHER := $(filter-out $(UNIT_CORE) $(UNIT_MIDDLE),$(UNIT))

# ---- build ---------------------------------------------------------------------------------

.PHONY: all
## all: build bin/cyclosolved and bin/cyclosolve (the default)
all: bin/cyclosolved bin/cyclosolve

# bin/ holds a copy of the build asked for last.
bin/cyclosolved: $(DAEMON) FORCE
bin/cyclosolve: $(TOOL) FORCE
bin/cyclosolved bin/cyclosolve:
	@mkdir -p $(@D)
	$(Q)cmp -s $< $@ || { cp $< $@.new && mv $@.new $@; }

.PHONY: core
## core: build the engine alone as a static library
core: $(LIB_CORE)

.PHONY: objects
## objects: compile everything, tests and benchmarks too, without linking
objects: $(call objects_of,$(ALL_SRC))

$(DAEMON): $(call objects_of,server/server_main.c) $(LIBS_ALL)
$(TOOL): $(call objects_of,server/server_tool_main.c) $(LIBS_ALL)
$(DAEMON) $(TOOL):
	$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

$(LIB_CORE): $(call objects_of,$(CORE_SRC))
$(LIB_PROTO): $(call objects_of,$(PROTO_SRC))
$(LIB_CONFIG): $(call objects_of,$(CONFIG_SRC))
$(LIB_SERVER): $(call objects_of,$(SERVER_SRC)) $(WEB_OBJECT)
$(LIB_SUPPORT): $(call objects_of,$(SUPPORT_SRC))
$(LIBS_ALL) $(LIB_SUPPORT):
	$(SAY) AR $@
	@mkdir -p $(@D) && rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c
	$(SAY) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(call isa_flags,$<) $(BUILD_DEFINES) -MMD -MP -c -o $@ $<

# Its list of sources is a file of its own, so that a viewer that comes or goes rebuilds it.
$(WEB_DATA): $(WEB_DATA).list $(WEB_SRC)
	$(SAY) WEB $@
	$(Q)$(PYTHON) server/web/build.py $@ $(WEB_VIEWER)
$(WEB_DATA).list: FORCE
	@mkdir -p $(@D)
	@echo '$(WEB_SRC)' | cmp -s - $@ || echo '$(WEB_SRC)' > $@
$(WEB_OBJECT): $(WEB_DATA) server/server_web.h
	$(SAY) CC $<
	$(Q)$(CC) $(CFLAGS_ALL) -c -o $@ $<

.PHONY: web-viewer
## web-viewer: bundle the 3-D viewer of the web page (needs node and npm); the next make takes it in
web-viewer:
	@sh server/web/viewer/build.sh $(WEB_VIEWER)

$(UNIT) $(LONG) $(BENCH): $(BUILD)/%: $(BUILD)/obj/%.o $(LIB_SUPPORT)
	$(SAY) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(TEST_LDLIBS) $(LDLIBS_ALL)
$(UNIT_CORE): $(LIB_CORE)
$(UNIT_MIDDLE): $(LIB_CONFIG) $(LIB_PROTO) $(LIB_CORE)
$(UNIT_OTHER) $(LONG) $(BENCH): $(LIBS_ALL)

$(TORTURE): $(call objects_of,$(TORTURE_SRC)) $(LIB_SUPPORT) $(LIBS_ALL)
	$(SAY) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(TEST_LDLIBS) $(LDLIBS_ALL)

$(FUZZ): $(BUILD)/%: $(BUILD)/obj/%.o $(call objects_of,$(filter-out %_driven.c,$(FUZZ_HARNESS)))
$(FUZZ_DRIVEN): $(BUILD)/%_driven: $(BUILD)/obj/%.o $(call objects_of,$(filter-out %_plain.c,$(FUZZ_HARNESS)))
$(FUZZ_DRIVEN): LDFLAGS_ALL += -fsanitize=fuzzer
$(FUZZ) $(FUZZ_DRIVEN): $(LIB_SUPPORT) $(LIBS_ALL)
	$(SAY) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(LIB_SUPPORT) $(LIBS_ALL) $(TEST_LDLIBS) $(LDLIBS_ALL)

# Preloaded into a daemon, so no sanitizer and nothing of ours in it.
$(FAULT): $(FAULT_SRC)
	$(SAY) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -I. -O2 -g $(WARNINGS) -shared -fPIC -pthread -o $@ $< -ldl

$(LOAD): $(call objects_of,$(LOAD_SRC)) $(LIB_CORE)
	$(SAY) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

# Version strings reach one file only, and only a change of them rebuilds it.
VERSION := $(shell cat VERSION)
COMMIT = $(or $(shell git describe --always --exclude '*' --abbrev=12 --dirty 2>/dev/null),unknown)
BUILD_OBJECT := $(call objects_of,server/server_build.c)
BUILD_STAMP := $(BUILD)/version.stamp
$(BUILD_OBJECT): BUILD_DEFINES = -DCYCLOSOLVE_VERSION='"$(VERSION)"' \
    -DCYCLOSOLVE_COMMIT='"$(COMMIT)"' -DCYCLOSOLVE_COMPILER='"$(COMPILER)"'
$(BUILD_OBJECT): $(BUILD_STAMP)
$(BUILD_STAMP): FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT)' > $@

.PHONY: FORCE
FORCE:

-include $(patsubst %.o,%.d,$(call objects_of,$(ALL_SRC)))

# ---- run and install -----------------------------------------------------------------------

.PHONY: deps
## deps: install what is missing (apt, when it may), or say what to install
deps:
	@sh tests/tools/install_deps.sh $(APT_PACKAGES)

.PHONY: deps-test
## deps-test: the same with what `make test` needs besides: clang, clang-format, curl, python3-jsonschema
deps-test:
	@sh tests/tools/install_deps.sh $(APT_PACKAGES_TEST)

.PHONY: demo
## demo: build, start the daemon, solve the hard 30x30x30 and show it live
demo:
	@deploy/demo.sh

.PHONY: install
## install: copy the programs to $(DESTDIR)$(PREFIX)/bin
install: $(DAEMON) $(TOOL)
	install -D -m 0755 $(DAEMON) $(DESTDIR)$(PREFIX)/bin/cyclosolved
	install -D -m 0755 $(TOOL) $(DESTDIR)$(PREFIX)/bin/cyclosolve
	install -D -m 0644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/cyclosolve/LICENSE
	install -D -m 0644 config/cyclosolved.conf.example \
	    $(DESTDIR)$(PREFIX)/share/doc/cyclosolve/cyclosolved.conf.example

.PHONY: clean
## clean: remove everything that was built
clean:
	rm -rf build bin

# ---- tests ---------------------------------------------------------------------------------

SELECTED = $(if $(TEST),$(foreach t,$(1),$(if $(findstring $(TEST),$(notdir $(t))),$(t))),$(1))
RUN_UNIT := $(PYTHON) tests/run_unit.py --sanitize='$(SANITIZE)'

.PHONY: check
## check: unit tests, under a minute (TEST=name selects)
check: $(call SELECTED,$(UNIT) $(FUZZ))
	@$(RUN_UNIT) $^

.PHONY: check-system
## check-system: system tests against the daemon (TEST=part of their names selects)
check-system: bin/cyclosolved bin/cyclosolve $(FAULT)
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved CYCLOSOLVE_FAULT_LIBRARY=$(CURDIR)/$(FAULT) \
	    $(PYTHON) tests/system/run.py $(TEST)

.PHONY: check-web
## check-web: the web page in a real Chromium; installs that and what it needs of npm, if it may
check-web:
	@sh tests/web/setup.sh $(WEB_TOOLS)
	@$(MAKE) --no-print-directory web-viewer
	@$(MAKE) --no-print-directory bin/cyclosolved
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved NODE_FOLDER=$(CURDIR)/$(WEB_TOOLS) node tests/web/run.mjs $(TEST)

# The kernels of AArch64, where that is not the machine's own, under an emulator. Of libraries they
# need a hash only, whose header serves every architecture.
NEON_BUILD := build/neon
NEON_SRC := $(filter-out $(foreach s,$(SIMD_x86_64),%_$(s).c),$(wildcard $(foreach d,base cpu perm \
    puzzle cycle cube3,core/$(d)/*.c))) tests/support/support_random.c \
    tests/support/support_reader.c tests/cross/cross_kernels.c
NEON_CFLAGS := -std=c11 -D_GNU_SOURCE -DXXH_INLINE_ALL -I. -I$(NEON_BUILD)/include -O2 -g \
    $(WARNINGS) -Werror -static -pthread

.PHONY: check-neon
## check-neon: the kernels for AArch64, cross-compiled and emulated; installs what that takes, if it may
check-neon:
	@sh tests/tools/install_deps.sh gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
	@mkdir -p $(NEON_BUILD)/include
	@cp "$$(pkg-config --variable=includedir libxxhash)/xxhash.h" $(NEON_BUILD)/include/
	$(SAY) CROSS $(NEON_BUILD)/cross_kernels
	$(Q)aarch64-linux-gnu-gcc $(NEON_CFLAGS) -o $(NEON_BUILD)/cross_kernels $(NEON_SRC) -lm
	@qemu-aarch64 $(NEON_BUILD)/cross_kernels

.PHONY: test
## test: everything: lint, unit tests plain and with ASan and UBSan, system tests, torture, load, web page
test:
	@$(PYTHON) tests/run_test.py

.PHONY: soak
## soak: unit tests under TSan, then the long tests; takes long
soak:
	@CYCLOSOLVE_SLOW=1 $(MAKE) --no-print-directory check SANITIZE=thread
	@$(MAKE) --no-print-directory check-long

.PHONY: check-long
## check-long: the long tests of tests/long
check-long: $(call SELECTED,$(LONG))
	@CYCLOSOLVE_SLOW=1 $(RUN_UNIT) $^

.PHONY: torture
## torture: kill processes that share tables, damage files, check the answers (SECONDS=60 SEED=1)
torture: $(TORTURE)
	@$(PYTHON) tests/torture/torture.py --worker=$(TORTURE) --seconds=$(or $(SECONDS),60) \
	    --seed=$(or $(SEED),0) --report=$(BUILD)/torture.json

# Coverage is asked for in the compiler's flags, so that the build has a folder of its own.
FUZZ_BUILD := CC=clang DEBUG=1 SANITIZE=address,undefined CFLAGS=-fsanitize=fuzzer-no-link
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(FUZZ_SRC))

.PHONY: fuzz fuzz-programs
## fuzz: parsers under libFuzzer, ASan and UBSan (TARGET=job, all by default; SECONDS=60 SEED=1)
fuzz:
	@$(MAKE) --no-print-directory $(FUZZ_BUILD) TARGET='$(TARGET)' fuzz-programs
	@$(PYTHON) tests/fuzz/fuzz.py --programs="$$($(MAKE) -s --no-print-directory $(FUZZ_BUILD) print-build)/tests/fuzz" \
	    --seconds=$(or $(SECONDS),60) --seed=$(or $(SEED),0) $(or $(TARGET),$(FUZZ_NAMES))
fuzz-programs: $(patsubst %,$(BUILD)/tests/fuzz/fuzz_%_driven,$(or $(TARGET),$(FUZZ_NAMES)))

.PHONY: fuzz-http
## fuzz-http: fuzzed requests to a daemon with ASan and UBSan (REQUESTS=100000 SEED=1)
fuzz-http:
	@$(MAKE) --no-print-directory SANITIZE=address,undefined bin/cyclosolved
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved $(PYTHON) tests/fuzz/fuzz_http.py \
	    --requests=$(or $(REQUESTS),100000) --seed=$(or $(SEED),0) --report=build/fuzz/fuzz_http.json

.PHONY: fault
## fault: the n-th call of malloc, mmap, write, sqlite3_step, ... fails in a daemon, for many n
fault: bin/cyclosolved $(FAULT)
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved CYCLOSOLVE_FAULT_LIBRARY=$(CURDIR)/$(FAULT) \
	    $(PYTHON) tests/fault/fault.py --report=build/fuzz/fault.json

.PHONY: load
## load: requests, queue, streams and hostile clients in numbers, with a report (SECONDS=300 TEST=name)
load: bin/cyclosolved $(LOAD)
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved $(PYTHON) tests/load/load.py --client=$(LOAD) \
	    --seconds=$(or $(SECONDS),300) --seed=$(or $(SEED),0) --report=$(BUILD)/load.json $(TEST)

.PHONY: kill
## kill: a daemon under load is killed with -9 at any moment, and what it promised is checked (KILLS=300 or SECONDS=60, SEED=1)
kill: bin/cyclosolved bin/cyclosolve
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved CYCLOSOLVE_TOOL=$(CURDIR)/bin/cyclosolve \
	    $(PYTHON) tests/kill/kill.py --kills=$(or $(KILLS),300) --seconds=$(or $(SECONDS),0) \
	    --seed=$(or $(SEED),0) --report=$(BUILD)/kill.json

.PHONY: bench
## bench: run the benchmarks of tests/bench (TEST=name selects)
bench: $(call SELECTED,$(BENCH))
	@for program in $^; do echo "== $$(basename $$program)"; $$program || exit 1; done

.PHONY: bench-tables
## bench-tables: the numbers of pruning tables: filling, encodings, questions, attaching
bench-tables: $(filter %/bench_tables %/bench_encodings,$(BENCH))
	@for program in $^; do echo "== $$(basename $$program)"; $$program || exit 1; done

.PHONY: bench-service
## bench-service: what users wait for, over HTTP: jobs of 10 to 13 moves, overhead of the service
bench-service: bin/cyclosolved $(filter %/bench_direct,$(BENCH))
	@CYCLOSOLVED=$(CURDIR)/bin/cyclosolved $(PYTHON) tests/bench/bench_service.py $(CURDIR)/$(filter %/bench_direct,$^)

.PHONY: lint
## lint: layers, headers, banned calls, format, sizes, warnings under gcc and clang
lint:
	@$(PYTHON) tests/lint/test_lint.py
	@$(PYTHON) tests/lint/lint.py

# For tools: the build folder, the flags of FILE, the file name endings not of this architecture.
.PHONY: print-build print-flags print-foreign
print-build:
	@echo $(BUILD)
print-flags:
	@echo $(CFLAGS_ALL) $(call isa_flags,$(FILE))
print-foreign:
	@echo $(FOREIGN_SIMD)

.PHONY: format
## format: reformat all C files with clang-format
format:
	clang-format -i $$(find core proto config server tests -name '*.[ch]')

# ---- help ----------------------------------------------------------------------------------

.PHONY: help
## help: this list
help:
	@echo 'Goals:'
	@sed -n 's/^## \([a-z-]*\): \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'
	@echo
	@sed -n '/^# Variables/,/^#$$/s/^# \{0,1\}//p' Makefile

# Footnote: the whole build, for GNU make 4.3.  `make help` lists the targets.
#
#   MODE=release|debug|asan|tsan|cover   objects go to $(BUILD)/$(MODE)
#   BUILD=folder                         everything made goes there
#   V=1                                  shows commands, lists single tests
#   WERROR=1                             warnings are errors (test and check)
#
# Sources are found by name.  A new file or folder in src/, or a new file in a
# folder of tests/, needs no change here.

MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.DEFAULT_GOAL := all

VERSION := 0.1.0
SOVERSION := 0
BUILD ?= build
MODE ?= release
PREFIX ?= /usr/local
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = @printf '%-4s %s\n' $(1) $(2)

OBJ := $(BUILD)/$(MODE)
OUT := $(if $(filter release,$(MODE)),$(BUILD),$(OBJ))
GEN := $(BUILD)/gen

# --- Flags ------------------------------------------------------------------
# CC, CFLAGS, CPPFLAGS and LDFLAGS are the user's; what the code needs is apart.

ifeq ($(origin CC),default)
CC := gcc
endif
# Sanitizers need lines, no variables.
CFLAGS ?= $(if $(filter asan tsan fuzz,$(MODE)),-g1,-g)
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wformat=2 -Wundef \
	-Wswitch-enum -Wimplicit-fallthrough -Wnull-dereference \
	-Wdouble-promotion -Wno-missing-field-initializers
SANITIZE := -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=

# tests/cli/hardened.sh looks for these in the program.
MODE_release := -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 \
	-fstack-protector-strong -fstack-clash-protection \
	$(if $(filter x86_64 i%86,$(shell uname -m)),-fcf-protection)
MODE_debug   := -Og
MODE_asan    := $(SANITIZE)address,undefined
MODE_tsan    := $(SANITIZE)thread
MODE_cover   := -O0 --coverage
MODE_fuzz    := $(SANITIZE)fuzzer-no-link,address,undefined
ifndef MODE_$(MODE)
$(error MODE=$(MODE) is not known: release, debug, asan, tsan or cover)
endif

PACKAGES := sqlite3 libpq libcrypto libutf8proc
APP_PACKAGES := libuv libcurl zlib libarchive libxml-2.0 libseccomp \
	uchardet
PKG_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) $(APP_PACKAGES) \
	2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)
APP_LIBS := $(shell pkg-config --libs $(APP_PACKAGES) 2>/dev/null) \
	-lhttp_parser

DIALECT := -std=c11 -D_GNU_SOURCE
INCLUDE := -Iinclude -Isrc -Itests -I$(GEN) $(PKG_CFLAGS)
COMPILE = $(CC) $(DIALECT) $(INCLUDE) $(CPPFLAGS) $(WARN) \
	$(if $(WERROR),-Werror) -fPIC -fvisibility=hidden -pthread \
	$(MODE_$(MODE)) $(CFLAGS) -UNDEBUG -MMD -MP
LINK = $(CC) -pthread $(MODE_$(MODE)) $(CFLAGS) $(LDFLAGS) \
	-Wl,-z,relro -Wl,-z,now
LIBS := $(PKG_LIBS) -lstemmer -lm

# --- Sources ----------------------------------------------------------------

# The program is the library and what only a program needs.
APP_SRC := $(sort $(shell find src/config src/object src/ingest src/retrieve \
	src/model src/chat src/http src/backup src/export src/import src/cli \
	-name '*.c'))
APP_OBJ := $(APP_SRC:%.c=$(OBJ)/%.o) $(addprefix $(OBJ)/gen/,openapi.o \
	demo.o demo_journal.o page.o asset.o backup_sql.o import_sql.o)
LIB_SRC := $(sort $(shell find src/base src/language src/cite src/db \
	src/store src/lib -name '*.c'))
LIB_OBJ := $(LIB_SRC:%.c=$(OBJ)/%.o) $(OBJ)/gen/sql.o
EXAMPLES := $(patsubst %.c,$(OUT)/%,$(wildcard examples/*.c))
# One bench program per folder.
BENCHES := $(patsubst %/main.c,$(OUT)/%,$(wildcard bench/*/main.c))
HARNESS := $(patsubst %.c,$(OBJ)/%.o,$(wildcard tests/*.c))
# One test program per folder, which may have rooms of its own.
suite_src = $(wildcard tests/$(1)/*.c tests/$(1)/*/*.c)
FUZZERS := $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c))
ours = $(sort $(shell find include src tests examples bench tools \
	-name node_modules -prune -o -name '$(1)' -print))
OUR_C := $(call ours,*.c)
OUR_H := $(call ours,*.h)

# --- Build ------------------------------------------------------------------

PRODUCTS := $(OUT)/footnote $(OUT)/libfootnote.a \
	$(OUT)/libfootnote.so $(BUILD)/footnote.pc
.PHONY: all needs
all: $(PRODUCTS) ## the program and the libraries, in build/
needs:
	$(if $(PKG_LIBS),,@echo "$(PACKAGES) not found: run tools/setup"; false)

$(OUT)/footnote: $(OBJ)/src/main.o $(APP_OBJ) $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -pie -o $@ $^ $(LIBS) $(APP_LIBS)

# One object in which everything hidden is local: the internal names stay
# short and cannot clash with those of the program that embeds us.
$(OBJ)/libfootnote.o: $(LIB_OBJ)
	$(Q)$(LD) -r -o $@ $^
	$(Q)objcopy --localize-hidden $@

$(OUT)/libfootnote.a: $(OBJ)/libfootnote.o
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $<

$(OUT)/libfootnote.so: $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-z,defs -Wl,-soname,libfootnote.so.$(SOVERSION) \
		-o $@ $^ $(LIBS)
	$(Q)ln -sf libfootnote.so $@.$(SOVERSION)

# Written each time because PREFIX may differ from the last time.  What the
# archive needs is named here: libpq's own list for static linking asks for
# libraries that no package of ours brings.
define PC_TEXT
prefix=$(PREFIX)
libdir=$${prefix}/lib
includedir=$${prefix}/include

Name: footnote
Description: Keeps chat answers with their sources
Version: $(VERSION)
Libs: -L$${libdir} -lfootnote
Libs.private: $(PKG_LIBS) -lstemmer -pthread -lm
Cflags: -I$${includedir}
endef
export PC_TEXT
.PHONY: $(BUILD)/footnote.pc
$(BUILD)/footnote.pc:
	@mkdir -p $(@D)
	@printf '%s\n' "$$PC_TEXT" >$@

# The folders are prerequisites too, so that a removed file is noticed.  The
# tests of db/ bring statements and migrations of their own.
sql_files = $(wildcard $(1) $(1)/*.sql $(1)/query $(1)/query/*.sql \
	$(1)/schema/* $(1)/schema/*/*.sql)
$(GEN)/sql.h $(GEN)/sql.c &: tools/sqlgen $(call sql_files,sql)
	$(call say,GEN,$(GEN)/sql.h)
	$(Q)tools/sqlgen sql $(GEN)
$(GEN)/test_sql.h $(GEN)/test_sql.c &: tools/sqlgen \
	$(call sql_files,tests/db/sql)
	$(call say,GEN,$(GEN)/test_sql.h)
	$(Q)tools/sqlgen tests/db/sql $(GEN) test_

# The statements of a backup: its own, and those that copy every table.
COPY := $(GEN)/backup
$(GEN)/backup_sql.h $(GEN)/backup_sql.c $(COPY)/tables.h &: tools/sqlcopy \
	tools/sqlgen $(call sql_files,sql) sql/backup $(wildcard sql/backup/*.sql)
	$(call say,GEN,$(GEN)/backup_sql.h)
	$(Q)rm -rf $(COPY) && tools/sqlcopy sql $(COPY)
	$(Q)cp -R sql/values.sql sql/schema $(COPY) && cp sql/backup/*.sql $(COPY)/query
	$(Q)tools/sqlgen $(COPY) $(GEN) backup_

# The statements of an import.
$(GEN)/import_sql.h $(GEN)/import_sql.c &: tools/sqlgen \
	$(call sql_files,sql/import)
	$(call say,GEN,$(GEN)/import_sql.h)
	$(Q)tools/sqlgen sql/import $(GEN) import_
SQL_H := $(addprefix $(GEN)/,sql.h backup_sql.h import_sql.h)

# What the program says about its API.
$(GEN)/openapi.c: tools/embed $(wildcard src/http/ops/openapi \
	src/http/ops/openapi/*)
	$(call say,GEN,$@)
	$(Q)tools/embed src/http/ops/openapi openapi $@
# The pages that people use, as `make web` left them.
$(GEN)/page.c: tools/embed $(wildcard web/dist web/dist/*)
	$(call say,GEN,$@)
	$(Q)tools/embed web/dist page $@
$(GEN)/asset.c: tools/embed $(wildcard web/dist/assets web/dist/assets/*)
	$(call say,GEN,$@)
	$(Q)tools/embed web/dist/assets asset $@

define compile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ $<
endef
# A commit is noted when the file is compiled: releases build from nothing.
GIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
$(OBJ)/src/config/build.o: CPPFLAGS += -DFOOTNOTE_VERSION='"$(VERSION)"' \
	$(if $(GIT),-DFOOTNOTE_GIT='"$(GIT)"')
$(OBJ)/gen/%.o: $(GEN)/%.c Makefile | needs
	$(compile)
$(OBJ)/tests/%.o: tests/%.c Makefile | needs $(SQL_H) $(GEN)/test_sql.h
	$(compile)
$(OBJ)/%.o: %.c Makefile | needs $(SQL_H)
	$(compile)

$(OUT)/examples/%: $(OBJ)/examples/%.o $(OUT)/libfootnote.a
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^ $(LIBS)
# For programs that need some of it: the linker takes what is asked for.
$(OBJ)/app.a: $(APP_OBJ)
	$(Q)rm -f $@ && $(AR) qcs $@ $^
$(OBJ)/bench/common.a: $(OBJ)/bench/common.o
	$(Q)rm -f $@ && $(AR) rcs $@ $^
define bench_rule
$(OUT)/bench/$(1): $(patsubst %.c,$(OBJ)/%.o,$(wildcard bench/$(1)/*.c)) \
		$(OBJ)/bench/common.a $(OBJ)/app.a $(LIB_OBJ)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(LINK) -o $$@ $$^ $$(LIBS) $$(APP_LIBS)
endef
$(foreach b,$(notdir $(BENCHES)),$(eval $(call bench_rule,$(b))))

# The demo course: slides from their source, and what needs no making.
DEMO_FILES := $(wildcard examples/demo-course/lecture.* \
	examples/demo-course/journal/*.md)
DEMO := $(patsubst examples/%,$(BUILD)/%,$(DEMO_FILES)) \
	$(BUILD)/demo-course/slides.pdf
SLIDES_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard tools/slides/*.c) \
	$(addprefix src/base/,buf.c err.c number.c str.c utf8.c))
.PHONY: demo
demo: $(DEMO) ## the documents of the demo, in build/demo-course/
$(OBJ)/slides: $(SLIDES_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lz -lm
$(BUILD)/demo-course/slides.pdf: examples/demo-course/slides.txt $(OBJ)/slides
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)$(OBJ)/slides $< $@
$(BUILD)/demo-course/%: examples/demo-course/%
	@mkdir -p $(@D)
	@cp $< $@

# The program carries it, so that --demo works wherever it is installed.
$(GEN)/demo.c: tools/embed $(DEMO)
	$(call say,GEN,$@)
	$(Q)tools/embed $(BUILD)/demo-course demo $@
$(GEN)/demo_journal.c: tools/embed $(DEMO)
	$(call say,GEN,$@)
	$(Q)tools/embed $(BUILD)/demo-course/journal demo_journal $@

# npm writes that file last.
WEB_PACKAGES := web/node_modules/.package-lock.json
.PHONY: web
web: $(WEB_PACKAGES) ## rebuild web/dist, the pages that the program carries
	@cd web/app && ../../tools/node npm run --silent build
$(WEB_PACKAGES): web/package-lock.json
	$(call say,NPM,web)
	$(Q)cd web && npm ci --ignore-scripts --loglevel error >/dev/null
	@touch $@

.PHONY: packages
packages: $(WEB_PACKAGES) ## get the npm packages that the tests need
	@tools/packages tests/clients tests/s3 tests/export >/dev/null

.PHONY: run
run: ## build and serve the demo on http://127.0.0.1:8080; DATA=folder
	@tools/setup
	@$(MAKE) all demo
	@$(OUT)/footnote serve --demo --data $(or $(DATA),$(BUILD)/demo)

# --- Tests ------------------------------------------------------------------
# Every test program ends with "N passed, N failed"; tools/tally adds them up.
test t check soak fuzz: export TMPDIR = $(shell tools/scratch)

$(OBJ)/test-%: $(HARNESS) $(OBJ)/gen/test_sql.o $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)
define suite_rule
$(OBJ)/test-$(1): $(patsubst %.c,$(OBJ)/%.o,$(call suite_src,$(1)))
endef
# Those that need no server of PostgreSQL, and those that do.
SUITES := $(addprefix $(OBJ)/test-,base language cite config)
ENGINE_SUITES := $(addprefix $(OBJ)/test-,db store lib fault object ingest \
	retrieve model chat http backup export import cli attack)
$(foreach s,$(filter-out lib,$(patsubst $(OBJ)/test-%,%,$(SUITES) \
	$(ENGINE_SUITES))),$(eval $(call suite_rule,$(s))))
# The suites of what only the program has.
APP_SUITES := $(addprefix $(OBJ)/test-,config object ingest retrieve model \
	chat http backup export import cli attack)
$(filter-out %-db %-lib %-fault,$(ENGINE_SUITES)): $(OBJ)/tests/help/schema.o
$(APP_SUITES): LIBS += $(APP_LIBS)
$(APP_SUITES): $(OBJ)/help.a $(APP_OBJ)

# Their workers execute the program in the jail, where sanitizers have no room.
ifeq ($(MODE),release)
$(filter %-ingest %-attack,$(APP_SUITES)): | $(BUILD)/footnote
else
$(filter %-ingest %-attack,$(APP_SUITES)): | release
endif
.PHONY: release
# What is generated is there before a second make looks for it.
release: $(SQL_H) $(patsubst $(OBJ)/gen/%.o,$(GEN)/%.c,$(filter \
		$(OBJ)/gen/%,$(APP_OBJ) $(LIB_OBJ)))
	@$(MAKE) MODE=release $(BUILD)/footnote

# What several suites share: the linker takes what a suite asks for.
$(OBJ)/help.a: $(patsubst %.c,$(OBJ)/%.o,$(wildcard tests/help/*.c))
	$(Q)rm -f $@ && $(AR) qcs $@ $^
# The scripted model server: an object for tests in C, a program for others.
UPSTREAM_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out %/main.c,$(wildcard \
	tests/upstream/*.c)))
$(filter %-model %-chat %-http %-attack,$(APP_SUITES)): $(UPSTREAM_OBJ)
$(OBJ)/upstream: $(OBJ)/tests/upstream/main.o $(UPSTREAM_OBJ) $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)
# Runs a program under the filters of the unit for systemd.
$(OBJ)/confined: $(OBJ)/tests/systemd/confined.o
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lseccomp
# The faults of all: the program's parts are there when they are asked for.
$(OBJ)/test-fault: LIBS += $(APP_LIBS)
$(OBJ)/test-fault: $(OBJ)/help.a $(OBJ)/app.a $(UPSTREAM_OBJ)

# A test of these that defines __wrap_X stands before X for all our objects.
# Private: the program that makes the slides is built without.
wraps = $(sort $(shell sed -nE 's/.*\b__wrap_([a-z0-9_]+).*/-Wl,--wrap=\1/p' \
	$(call suite_src,$(1)) /dev/null))
$(OBJ)/test-fault: private LDFLAGS += $(call wraps,fault)
$(OBJ)/test-model: private LDFLAGS += $(call wraps,model)
$(OBJ)/test-http: private LDFLAGS += $(call wraps,http)
$(OBJ)/test-attack: private LDFLAGS += $(call wraps,attack)
$(OBJ)/test-chat: private LDFLAGS += $(call wraps,chat)

# The library as others see it: as an archive, and the tests that matter for
# how it is linked as a shared object, too.
$(OBJ)/test-lib: $(patsubst %.c,$(OBJ)/%.o,$(call suite_src,lib)) $(HARNESS) \
		$(OUT)/libfootnote.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)
$(OBJ)/test-lib-shared: $(addprefix $(OBJ)/tests/lib/,embed_test.o \
		clashing_names.o) $(HARNESS) $(OUT)/libfootnote.so
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -Wl,-rpath,$(abspath $(OUT)) -lpq

REPLAYS := $(FUZZERS:%=$(OBJ)/replay-%)
$(OBJ)/replay-%: $(OBJ)/tests/fuzz/replay.o $(OBJ)/tests/fuzz/%_fuzz.o \
	$(OBJ)/app.a $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(APP_LIBS) -ljansson
$(OBJ)/fuzz-%: $(OBJ)/tests/fuzz/%_fuzz.o $(OBJ)/app.a $(LIB_OBJ)
	$(call say,LINK,$@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS) $(APP_LIBS) -ljansson

# The commands for tools/tally: first the suites that need no server, then the
# others and those in $(1) with one server for all of them.
# ASan looks at our code, which is the same for both engines above store/.
on_sqlite = $(if $(filter asan,$(MODE)),$(if $(filter-out %-db %-store %-fault \
	%-lib,$(1)),-postgres_))
with_server = $(foreach s,$(filter $(ENGINE_SUITES),$(T_SUITES)) $(1),"$(s) $(T) \
	$(call on_sqlite,$(s))")
run_suites = $(foreach s,$(filter $(SUITES),$(T_SUITES)),'$(s) $(T)') \
	$(if $(with_server),'tools/cluster run tools/tally $(with_server)')
# What has no words to choose by runs only when all is run.
run_whole = $(if $(T),,$(foreach f,$(FUZZERS),'$(OBJ)/replay-$(f) \
	tests/fuzz/corpus/$(f)') $(filter-out tests/help/%,$(wildcard \
	tests/*/*.sh)) web/test.sh)

.PHONY: test programs
programs: all $(SUITES) $(ENGINE_SUITES) $(OBJ)/test-lib-shared $(REPLAYS) \
	$(EXAMPLES) $(OBJ)/upstream $(OBJ)/confined $(DEMO)
test: ## all tests on both engines; T="words" for those with all words
	@tools/setup test
	@$(MAKE) WERROR=1 programs $(if $(T),,packages $(BENCHES))
	@BUILD=$(BUILD) OUT=$(OUT) V=$(V) TEST_SLOW=$(or $(TEST_SLOW),3) \
		tools/tally -j 2 $(call run_suites,$(OBJ)/test-lib-shared) $(run_whole)

# Only the suites that have such a test are linked.
T_SUITES = $(addprefix $(OBJ)/test-,$(or $(shell tools/suites $(T)),$(error \
	no test has all of "$(T)" in its name)))
PG ?= $(findstring postgres,$(T))
.PHONY: t
t: ## only build and run what T="words" match; PostgreSQL only with PG=1
	$(if $(T),,$(error make t T="words": which tests?))
	@$(MAKE) WERROR=1 $(T_SUITES) $(if $(filter %-fault,$(T_SUITES)),all)
	@V=$(V) TEST_SLOW=$(or $(TEST_SLOW),3) $(if $(PG),tools/cluster run) \
		tools/tally $(foreach s,$(T_SUITES),'$(s) $(T) \
		$(if $(PG),,-postgres_)')

# The threaded tests have one of these words in their names.
THREADED := queue,writer,reader,thread,pool
SLOW := TEST_SLOW=10 ASAN_OPTIONS=detect_stack_use_after_return=1 \
	TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=$(CURDIR)/tests/tsan.supp
# Without ASLR, where that is allowed: TSan of gcc 12 cannot map its shadow
# on kernels that randomise more bits than it knows.
FIXED = $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: check
# Fuzzers take their time however busy it is, so they run beside the longest.
check: ## what CI runs after test: sanitizers, analysers, format, fuzzers
	@tools/setup test
	@$(MAKE) WERROR=1 MODE=asan suites
	@$(MAKE) WERROR=1 MODE=tsan suites T=$(THREADED)
	@$(MAKE) WERROR=1 MODE=fuzz CC=clang fuzzers program
	@$(SLOW) tools/tally -j 2 '$(MAKE) MODE=asan run-suites' \
		'tools/fuzz $(BUILD)/fuzz 10 $(FUZZERS)' \
		'$(FIXED) $(MAKE) MODE=tsan run-suites T=$(THREADED)' \
		tests/spin/run '$(MAKE) lint'
.PHONY: suites run-suites fuzzers program
# The program is what the fault tests kill.
suites: $(T_SUITES) program
program: $(OUT)/footnote
run-suites:
	@tools/tally $(call run_suites)
fuzzers: $(FUZZERS:%=$(OBJ)/fuzz-%)

.PHONY: fuzz
fuzz: ## run the fuzzers; F="names", SECONDS=60 each
	@tools/setup test
	@$(MAKE) MODE=fuzz CC=clang fuzzers
	@tools/fuzz $(BUILD)/fuzz $(or $(SECONDS),60) $(or $(F),$(FUZZERS))

.PHONY: soak
soak: ## the fault tests, mutants and fuzzers for long
	@tools/setup test
	@$(MAKE) WERROR=1 programs
	@$(MAKE) MODE=fuzz CC=clang fuzzers
	@SOAK=1 TEST_SLOW=100 tools/tally $(call run_suites) tests/mutants/run \
		'tools/fuzz $(BUILD)/fuzz 1800 $(FUZZERS)'

.PHONY: bench
bench: ## measure, as ratios within one run; SMALL=1 quickly, T="parts"
	@tools/setup bench
	@$(MAKE) $(BENCHES)
	@$(foreach b,$(BENCHES),tools/cluster run $(b) \
		$(if $(SMALL),--small) $(T) &&) true

.PHONY: marks
marks: ## which words are marked for quotations of real documents; T="kinds"
	@tools/setup marks
	@$(MAKE) $(OUT)/footnote
	@OUT=$(OUT) bench/marks/run.sh $(T)

# --- Lint -------------------------------------------------------------------

.PHONY: lint fmt
lint: $(SQL_H) $(GEN)/test_sql.h ## the checks that run nothing; L="names"
	@C="$(OUR_C)" H="$(OUR_H)" CPPFLAGS="$(DIALECT) $(INCLUDE)" WARN="$(WARN)" \
		tools/lint $(L)
fmt: ## format our files in place
	@clang-format -i $(OUR_C) $(OUR_H)

# --- Install, clean, help ---------------------------------------------------

# What is installed, below PREFIX: `uninstall` removes these and nothing else.
D = $(DESTDIR)$(PREFIX)
VERBS := $(shell sed -nE 's/^    \{"([a-z]+)", verb_.*/\1/p' src/cli/verbs.c)
MANUALS := man1/footnote.1 man5/footnote.toml.5 $(VERBS:%=man1/footnote-%.1)
UNIT_FILES := $(notdir $(wildcard ops/*.service ops/*.socket))
INSTALLED := bin/footnote include/footnote.h lib/libfootnote.a \
	lib/libfootnote.so.$(VERSION) lib/libfootnote.so.$(SOVERSION) \
	lib/libfootnote.so lib/pkgconfig/footnote.pc share/doc/footnote/LICENSE \
	$(UNIT_FILES:%=lib/systemd/system/%) $(MANUALS:%=share/man/%) \
	share/bash-completion/completions/footnote \
	share/zsh/site-functions/_footnote \
	share/fish/vendor_completions.d/footnote.fish
.PHONY: install uninstall dist clean help
install: all ## to PREFIX (/usr/local), below DESTDIR
	install -d $(sort $(dir $(INSTALLED:%=$(D)/%)))
	install -m 755 $(OUT)/footnote $(D)/bin/
	install -m 644 include/footnote.h $(D)/include/
	install -m 644 $(OUT)/libfootnote.a $(D)/lib/
	install -m 755 $(OUT)/libfootnote.so $(D)/lib/libfootnote.so.$(VERSION)
	ln -sf libfootnote.so.$(VERSION) $(D)/lib/libfootnote.so.$(SOVERSION)
	ln -sf libfootnote.so.$(SOVERSION) $(D)/lib/libfootnote.so
	install -m 644 $(BUILD)/footnote.pc $(D)/lib/pkgconfig/
	install -m 644 LICENSE $(D)/share/doc/footnote/
	for verb in $(VERBS); do $(OUT)/footnote help --man $$verb \
		>$(D)/share/man/man1/footnote-$$verb.1 || exit; done
	$(OUT)/footnote help --man >$(D)/share/man/man1/footnote.1
	$(OUT)/footnote help --man footnote.toml >$(D)/share/man/man5/footnote.toml.5
	$(OUT)/footnote completion bash >$(D)/share/bash-completion/completions/footnote
	$(OUT)/footnote completion zsh >$(D)/share/zsh/site-functions/_footnote
	$(OUT)/footnote completion fish \
		>$(D)/share/fish/vendor_completions.d/footnote.fish
	for unit in $(UNIT_FILES); do sed 's|/usr/local|$(PREFIX)|' ops/$$unit \
		>$(D)/lib/systemd/system/$$unit || exit; done
uninstall: ## what install put there, with the same PREFIX and DESTDIR
	rm -f $(INSTALLED:%=$(D)/%)
	-rmdir --ignore-fail-on-non-empty $(D)/share/doc/footnote

# Both are the same bytes whoever makes them, with the same packages installed.
DIST := $(BUILD)/footnote-$(VERSION)
dist: all ## the committed sources, and a list of what is in the program (SBOM)
	git archive --prefix=footnote-$(VERSION)/ HEAD | gzip -9n >$(DIST).tar.gz
	tools/sbom $(OUT)/footnote $(VERSION) web/package-lock.json \
		>$(DIST).cdx.json
clean: ## remove what was built
	rm -rf $(BUILD)
help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 16

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

# stream_pgoutput: build with PGXS, install, test.  `make help` lists the targets.

MODULE_big = stream_pgoutput
OBJS = \
	stream_pgoutput.o \
	stream_session.o \
	stream_relation.o \
	stream_publication.o \
	stream_filter.o \
	stream_tuple.o \
	stream_value.o \
	stream_transport.o \
	stream_options.o \
	stream_stats.o \
	stream_stats_show.o \
	stream_inspect.o \
	stream_inspect_row.o \
	stream_inspect_detail.o \
	stream_inspect_jsonb.o \
	stream_inspect_summary.o \
	stream_inspect_walk.o \
	stream_proto.o \
	stream_proto_read.o \
	stream_proto_describe.o \
	stream_explain.o

# The plugin needs no extension; there is one once it has SQL functions.
DATA = $(wildcard stream_pgoutput--*.sql)
EXTENSION = $(if $(DATA),stream_pgoutput)

# The control file is the version's only home.
CONTROL_VERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" stream_pgoutput.control)
PG_CPPFLAGS = -DSTREAM_PGOUTPUT_VERSION='"$(CONTROL_VERSION)"'
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden

# A build for tests: all caches are discarded before each look into the catalogs.
ifdef DISCARD_CACHES
OBJS += test/discard/discard.o
SHLIB_LINK += $(shell sed -n 's/^WRAP.\([A-Za-z_0-9]*\),.*/-Wl,--wrap=\1/p' test/discard/discard.c)
PG_CPPFLAGS += -I$(CURDIR)
endif

# An output plugin has no use for bitcode.
override with_llvm = no

# Tests start a throw-away instance of their own.
REGRESS := $(sort $(patsubst sql/%.sql,%,$(wildcard sql/*.sql)))
ISOLATION := $(sort $(patsubst specs/%.spec,%,$(wildcard specs/*.spec)))
TEST_DIR = $(or $(TESTDATADIR),$(CURDIR)/tmp_check)
TEST_CONFIG = --temp-config=logical.conf --temp-config=allow_list.conf
REGRESS_OPTS = --temp-instance='$(TEST_DIR)/regress' $(TEST_CONFIG)
ISOLATION_OPTS = --temp-instance='$(TEST_DIR)/isolation' $(TEST_CONFIG)
REGRESS_PREP = allow_list.conf
ENCODING = UTF8
EXTRA_CLEAN = allow_list.conf

PG_CONFIG ?= pg_config
PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))

# The server does not run as root.
ifeq ($(shell id -u),0)
NO_INSTALLCHECK = 1
endif

ifneq ($(PGXS),)

ifneq ($(wildcard $(dir $(PGXS))../test/perl/PostgreSQL/Test/Cluster.pm),)
TAP_TESTS = $(if $(wildcard t/*.pl),1)
endif

include $(PGXS)

PG_PROVE_FLAGS += -I $(CURDIR)/t/lib

$(OBJS): $(wildcard *.h) stream_pgoutput.control Makefile

# The drop-in folder: our library under the name that clients hard-code.  A
# link, so that one session can use it under both names.
drop_in = $(DESTDIR)$(pkglibdir)/stream_pgoutput

.PHONY: install-drop-in uninstall-drop-in
install: install-drop-in
install-drop-in: all
	$(MKDIR_P) '$(drop_in)'
	ln -sf '../$(shlib)' '$(drop_in)/pgoutput$(DLSUFFIX)'

uninstall: uninstall-drop-in
uninstall-drop-in:
	rm -rf '$(drop_in)'

# Servers that know the allow-list need it; older minors do not start with it.
.PHONY: allow_list.conf
allow_list.conf:
	@$(MKDIR_P) '$(TEST_DIR)'
	@if '$(bindir)/postgres' --describe-config | grep -q '^output_plugin_libraries\b'; then \
		echo "output_plugin_libraries = 'pgoutput, test_decoding, stream_pgoutput'"; \
	fi >$@

ifdef NO_INSTALLCHECK
# Go on as the user postgres, in a copy that belongs to it.
.PHONY: installcheck
installcheck:
	@copy=$$(mktemp -d) && \
	tar -c --exclude=./.git --exclude=./.pg --exclude=./.build . | tar -x -C $$copy && \
	chown -R postgres: $$copy && \
	echo "running as postgres in $$copy" && \
	setpriv --reuid=postgres --regid=postgres --init-groups \
		$(MAKE) -C $$copy installcheck HOME=$$copy PG_CONFIG='$(PG_CONFIG)' && \
	rm -rf $$copy
endif

else # no PGXS

.PHONY: all install uninstall installcheck clean
all install uninstall installcheck clean:
	@echo "'$(PG_CONFIG)' leads to no PGXS: install the server's development files" >&2
	@echo "(Debian: postgresql-server-dev-N) or say PG_CONFIG=/path/to/pg_config" >&2
	@exit 1

endif

# These get their own servers, and need no PG_CONFIG.
.PHONY: test lint analyze demo bench sanitize memcheck fuzz help soak faults load minors
test:
	@tools/run-tests
lint:
	@tools/lint
analyze:
	@tools/analyze
demo:
	@tools/demo
bench:
	@tools/bench
soak:
	@tools/soak
faults:
	@tools/faults
load:
	@tools/load
minors:
	@tools/minors
sanitize:
	@VARIANT=sanitize tools/run-tests
memcheck:
	@tools/memcheck
fuzz:
	@tools/fuzz

help:
	@echo "make                    build for PG_CONFIG (default: pg_config in the PATH)"
	@echo "make install            install it, with the drop-in folder stream_pgoutput/"
	@echo "make uninstall          remove all of it"
	@echo "make installcheck       test what is installed, on a throw-away instance"
	@echo "make test               all tests on PG=\"15 17 18\"; TESTS=\"...\" picks some"
	@echo "make demo               see it work, on PG=15, 17 or 18"
	@echo "make bench              measure it beside pgoutput, on PG=18; SHAPES, RUNS: see bench/README.md"
	@echo "make soak               random scenarios on PG=18, MINUTES=10 from SEED=1; see soak/README.md"
	@echo "make faults             FAULTS=200 while a subscriber works on PG=18, from SEED=1; see soak/README.md"
	@echo "make load               much of everything, on PG=18; CASES, MINUTES, ROWS: see test/load/README.md"
	@echo "make minors             compare with pgoutput of older minor releases of PG=\"15 17 18\"; SCENARIOS picks some"
	@echo "make sanitize           the tests with sanitizers and assertions, on PG=\"15 17 18\""
	@echo "make memcheck           the SQL tests under valgrind, on PG=18"
	@echo "make fuzz               fuzz the readers for MINUTES=10"
	@echo "make lint               check headers, rooms, whitespace, warnings"
	@echo "make analyze            clang-tidy, cppcheck and gcc -fanalyzer, with the headers of PG=18"

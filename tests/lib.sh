# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh - helpers for the shell tests: `. "$abs_top_srcdir/tests/lib.sh"`
#
# A test is: ok "what is promised" COMMAND...   or: is "what is promised" "$got" "$wanted".
# done_testing stands at the end. The name is a whole sentence: it is read alone, in a log.
# Every test has HOME, XDG_RUNTIME_DIR and TEST_TMP of its own (build-aux/tap-run.sh).
# A test waits by `synced` (tarsier status --wait), `wait_until` or `let_time_pass` only;
# tests/check-style.sh refuses every other sleep.

set -u
: "${abs_top_srcdir:?run me by make check or build-aux/tap-run.sh}" "${TEST_TMP:?}"
tests_run=0
daemon_pid=

ok() { # ok NAME COMMAND...: passes if the command succeeds
	_name=$1; shift; tests_run=$((tests_run + 1))
	if "$@" >"$TEST_TMP/ok.out" 2>&1; then echo "ok $tests_run - $_name"; return 0; fi
	echo "not ok $tests_run - $_name"
	sed 's/^/#   /' "$TEST_TMP/ok.out" | head -n 20
	return 1
}

ends_with() { # ends_with STATUS COMMAND...: succeeds if the command ends with exactly this status
	_wanted=$1; shift
	"$@"; _got=$?
	[ "$_got" -eq "$_wanted" ] || { echo "exit status $_got, wanted $_wanted"; return 1; }
}

not_ok() { # not_ok NAME STATUS COMMAND...: passes if the command fails with exactly this status
	_name=$1; shift
	[ "$1" -gt 0 ] || { echo "Bail out! not_ok needs the status of a failure"; exit 99; }
	ok "$_name" ends_with "$@"
}

is() { # is NAME GOT WANTED
	tests_run=$((tests_run + 1))
	if [ "$2" = "$3" ]; then echo "ok $tests_run - $1"; return 0; fi
	echo "not ok $tests_run - $1"
	printf '%s\n' "$2" | head -n 20 | sed 's/^/#   got:    /'
	printf '%s\n' "$3" | head -n 20 | sed 's/^/#   wanted: /'
	return 1
}

like() { # like NAME TEXT PATTERN: TEXT matches the basic regular expression
	tests_run=$((tests_run + 1))
	if printf '%s\n' "$2" | grep -q -- "$3"; then echo "ok $tests_run - $1"; return 0; fi
	echo "not ok $tests_run - $1"
	printf '%s\n' "$2" | head -n 20 | sed 's/^/#   got: /'; echo "#   no match for: $3"
	return 1
}

exits() { # exits NAME STATUS COMMAND...: the command ends with exactly this status; output in $TEST_TMP/out and err
	_name=$1 _wanted=$2; shift 2; tests_run=$((tests_run + 1))
	"$@" >"$TEST_TMP/out" 2>"$TEST_TMP/err"; _got=$?
	if [ "$_got" -eq "$_wanted" ]; then echo "ok $tests_run - $_name"; return 0; fi
	echo "not ok $tests_run - $_name"; echo "#   exit status $_got, wanted $_wanted"
	head -n 10 "$TEST_TMP/out" "$TEST_TMP/err" | sed 's/^/#   /'
	return 1
}

skip() { # skip NAME WHY
	tests_run=$((tests_run + 1)); echo "ok $tests_run - $1 # SKIP $2"
}

skip_all() { # skip_all WHY: the whole file
	echo "1..0 # SKIP $1"; exit 0
}

done_testing() { echo "1..$tests_run"; }

wait_until() { # wait_until WHAT COMMAND...: succeeds as soon as the command does, within 80 s
	_what=$1 _n=0; shift
	until "$@" >"$TEST_TMP/wait_until.out" 2>&1; do
		_n=$((_n + 1))
		[ $_n -lt 400 ] || {
			echo "# waited 80 s in vain until $_what"; cat "$TEST_TMP/wait_until.out"; return 1
		}
		# Each look starts programs, which take the processor from what is waited for.
		if [ $_n -lt 10 ]; then sleep 0.05; else sleep 0.2; fi
	done
}

let_time_pass() { # let_time_pass SECONDS WHY: where the promise is about time itself
	: "${2:?why}"
	sleep "$1"
}

watch_dirs() { # watch_dirs DIR...: writes a configuration that watches them
	mkdir -p "$HOME/.config/tarsier"
	_list=; for _d; do _list="$_list$_d;"; done
	printf '[index]\nroots=%s\n' "$_list" >"$HOME/.config/tarsier/tarsier.conf"
}

start_daemon() { # start_daemon [OPTIONS]: returns when it answers; its messages go to $TEST_TMP/daemon.log
	tarsierd "$@" >>"$TEST_TMP/daemon.log" 2>&1 &
	daemon_pid=$!
	wait_until "the daemon answers" sh -c 'tarsier status --json | grep -q "\"running\":true"' || { echo "# the daemon does not answer"; sed 's/^/# /' "$TEST_TMP/daemon.log"; return 1; }
}

stop_daemon() { # stop_daemon [SIGNAL]
	[ -n "$daemon_pid" ] || return 0
	kill -"${1:-TERM}" "$daemon_pid" 2>/dev/null; wait "$daemon_pid" 2>/dev/null; _status=$?
	daemon_pid=; return $_status
}

synced() { tarsier status --wait=60 -q; } # every change made before is searchable

finish() { stop_daemon KILL; }
trap finish EXIT

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tap-run.sh TEST [ARGUMENTS]: runs one test program or script in a private HOME with a time limit.
# TEST_TIMEOUT: seconds (default 1200, since machines may be busy). KEEP=1 keeps the directory and says where it is.
set -u
test=$1; shift
case $test in /*) ;; *) test=$PWD/$test ;; esac
# The programs that test the index make and remove thousands of files, which disks are slow at.
case $test in
*.sh | *.py) ;;
*/tests/index/*) [ ! -w /dev/shm ] || [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -lt 4000000 ] || TMPDIR=/dev/shm ;;
esac
# Letters that form no word: tests look for words in output that names this directory.
unique=$(printf '%s' $$ | tr 0123456789 bcdfghjkvz)
TEST_TMP=${TMPDIR:-/tmp}/tarsier-test.$unique
until mkdir -m 700 "$TEST_TMP"; do
	[ -e "$TEST_TMP" ] || [ -L "$TEST_TMP" ] || { echo "Bail out! no directory $TEST_TMP"; exit 99; }
	unique=${unique}x
	TEST_TMP=${TMPDIR:-/tmp}/tarsier-test.$unique
done 2>/dev/null
mkdir -m 700 "$TEST_TMP/home" "$TEST_TMP/run"
mkdir -m 711 "$TEST_TMP.files" # another user may look there
export TEST_TMP HOME="$TEST_TMP/home" XDG_RUNTIME_DIR="$TEST_TMP/run" LC_ALL=C.UTF-8 TZ=UTC
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS
unset TARSIER_INDEX TARSIER_CONFIG TARSIER_DEBUG DBUS_SESSION_BUS_ADDRESS NOTIFY_SOCKET NO_COLOR LANGUAGE
export ASAN_OPTIONS="${ASAN_OPTIONS:-abort_on_error=0:exitcode=86:detect_leaks=1:handle_sigill=1:malloc_context_size=12}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1:exitcode=86}"
clean() {
	[ -n "${KEEP:-}" ] && { echo "# kept $TEST_TMP"; return; }
	chmod -R u+rwx "$TEST_TMP" "$TEST_TMP.files" 2>/dev/null
	rm -rf "$TEST_TMP" "$TEST_TMP.files"
}
trap clean EXIT
trap 'exit 130' INT TERM
# ASan keeps the last 256 MiB of freed memory, and the stack of each allocation. What scripts start are short runs, where
# the kernel spends half of the CPU time on new pages: there it keeps 64 KiB in each thread, and one caller. Fuzz targets
# read hostile bytes, and keep more.
case $test in
*/tests/fuzz/*.py) ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=2" ;;
*.sh | *.py) ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=0:thread_local_quarantine_size_kb=64:malloc_context_size=1" ;;
esac
# To look for leaks is a fifth of the CPU time of a client. Shell tests of the client do, the thousands that other
# scripts start do not.
case $test in
*/tests/cli/*.sh) ;;
*.sh | *.py)
	echo detect_leaks=0 >"$TEST_TMP.files/asan-tarsier"
	ASAN_OPTIONS="$ASAN_OPTIONS:include_if_exists=$TEST_TMP.files/asan-%b"
	;;
esac
case $test in
*.sh) set -- sh "$test" "$@" ;;
*.py) set -- python3 "$test" "$@" ;;
*) set -- "$test" --tap "$@"; export TMPDIR="$TEST_TMP.files" G_DEBUG="${G_DEBUG:-fatal-warnings}" ;;
esac
start=$(date +%s)
timeout -k 10 "${TEST_TIMEOUT:-1200}" "$@" </dev/null
status=$?
times >"$TEST_TMP/times" # its second line: what the test used, user and kernel
echo "# took $(($(date +%s) - start)) s, CPU $(sed -n 2p "$TEST_TMP/times")"
[ $status -eq 124 ] && echo "Bail out! over ${TEST_TIMEOUT:-1200} s"
exit $status

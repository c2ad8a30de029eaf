#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# repeat.sh: runs the tests of faults with many seeds and prints what failed; `make check-faults` runs
# it. The variables FAULT_... (tests/faults/Makefile.inc) say how often each fault is made.
# check-faults.log keeps what the failed runs printed.
set -u
run="$abs_top_srcdir/build-aux/tap-run.sh"
log=$abs_top_builddir/check-faults.log
failed=0
: >"$log"
one() { # one TEST: prints what failed
	if ! TEST_TIMEOUT=36000 sh "$run" "$abs_top_srcdir/tests/$1" >"$log.one" 2>&1; then
		failed=$((failed + 1))
		cat "$log.one" >>"$log"
		grep -E '^(not ok|#|Bail)' "$log.one" | head -n 20
	fi
	grep -E '^# .* s$' "$log.one" || :
	rm -f "$log.one"
}
seed=1
while [ "$seed" -le "${FAULT_SEEDS:-1000}" ]; do
	export STORM_SEED=$seed STORM_OPERATIONS=1000
	one daemon/random-workload.py
	seed=$((seed + 1))
done
tries=${FAULT_TRIES:-50}
export KILLS="${FAULT_KILLS:-2000}" CUTS="${FAULT_CUTS:-200}" QUERIES="${FAULT_QUERIES:-100000}" SCALE="${FAULT_SCALE:-100000}" OVERFLOWS=20 MOVES="${FAULT_SCALE:-100000}" STARTS="$tries" UPGRADES=200 OFF_OPERATIONS="${FAULT_SCALE:-100000}"
export HANGS="$tries" LIMITS="$tries" OPENS="$tries" JUMPS="$tries" IO_FAULTS="$tries" QUOTAS="$tries" MEMORY_FAULTS="$tries" STOPS="$tries" TRAININGS="$tries" WATCH_FAULTS="$tries"
export DAMAGES="${FAULT_DAMAGES:-1000}" HIDDEN="${FAULT_HIDDEN:-10000}" NAMES="${FAULT_NAMES:-10000}" DEPTH=1000 RACES=60 EXPORT_KILLS="${FAULT_EXPORT_KILLS:-1000}" EXPORT_QUERIES="${FAULT_QUERIES:-100000}" CRAWLED_HOSTS="${FAULT_HOSTS:-1000}" READ_ONLY="$tries" POINTS="${FAULT_POINTS:-100000}"
for test in kills power-cuts users scale hung-mount write-limit quota open-errors disk-errors no-memory \
	memory-limit clock set-clock damage unreadable-files hostile-names no-watches races read-only \
	kill-points changes-while-off hung-extractors export export-machines export-opensearch training crawlers; do
	one faults/$test.py
done
for test in moves single-instance upgrades; do
	one daemon/$test.py
done
echo "$((seed - 1)) random workloads of 1,000 operations, $KILLS kills, $CUTS power cuts, $QUERIES queries of three users, $tries of each other fault: $failed failed"
[ "$failed" -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run-all.sh CORPUS MINUTES TARGET...: fuzzes each target for so many minutes, one after the other
#
# Runs in a build directory that was configured --with-fuzzer. CORPUS/NAME keeps the inputs of the
# target fuzz_NAME for the next run, CORPUS/found what crashed, hung or leaked it, and
# CORPUS/NAME.log the last words of libFuzzer. A finding does not end the run, a target without seeds
# does. The status is 1 after either.
set -eu
corpus=$1 minutes=$2; shift 2
mkdir -p "$corpus/found"
# The targets find their seeds below it.
abs_top_srcdir=$(cd "$(dirname "$0")/../.." && pwd)
export abs_top_srcdir
# Large allocations fail as they do in the sandbox.
export ASAN_OPTIONS="${ASAN_OPTIONS:-allocator_may_return_null=1:max_allocation_size_mb=1024}"

for target; do
	name=${target##*/fuzz_}
	seeds=$(mktemp -d "${TMPDIR:-/tmp}/tarsier-fuzz.XXXXXX")
	mkdir -p "$corpus/$name"
	"$target" --seeds | while read -r seed; do cp "$seed" "$seeds"; done
	if [ -z "$(ls "$seeds")" ]; then
		echo "$name: no seeds, so this would test nothing" >&2
		exit 1
	fi
	nice -n 19 "$target" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -timeout=25 -rss_limit_mb=2560 \
		-max_total_time=$((minutes * 60)) -artifact_prefix="$corpus/found/$name-" \
		"$corpus/$name" "$seeds" >"$corpus/$name.log" 2>&1 </dev/null || :
	rm -rf "$seeds"
	runs=$(sed -n 's/^#\([0-9]*\): cov: .*/\1/p' "$corpus/$name.log" | tail -n 1)
	found=$(find "$corpus/found" -name "$name-*" | wc -l)
	echo "$name: ${runs:-0} runs, $found found"
done
[ -z "$(ls "$corpus/found")" ]

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sqlite.sh DIR MINUTES - fuzzes the client (fuzz_index, fuzz_query) for so many minutes each on
# Debian's SQLite, compiled with the sanitizers that the client is compiled with
#
# DIR keeps the source of SQLite, the build and the corpus (run-all.sh) for the next run. Where the
# source or clang cannot be had, nothing is run and the status is 0.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mkdir -p "$1" && cd "$1" && pwd)
minutes=$2
sanitizers=address,undefined
skip() { echo "SKIP: $1"; exit 0; }

for program in clang clang++; do
	command -v $program >/dev/null || skip "$program is not there"
done
source=$(sh "$top/tests/fuzz/debian-sqlite.sh" "$dir/source" 2>&1) || skip "$source"
mkdir -p "$dir/build" "$dir/sqlite"
if [ ! -f "$dir/build/Makefile" ]; then
	CC=clang CFLAGS="-g1 -O1 -fno-omit-frame-pointer -fsanitize=$sanitizers,fuzzer-no-link -fno-sanitize-recover=undefined" \
		sh "$top/tests/fuzz/build-sqlite.sh" "$dir/sqlite" "$source" >"$dir/sqlite.settings"
	(
		cd "$dir/build"
		SQLITE_CFLAGS=$(sed -n 's/^SQLITE_CFLAGS=//p' "$dir/sqlite.settings")
		SQLITE_LIBS=$(sed -n 's/^SQLITE_LIBS=//p' "$dir/sqlite.settings")
		export SQLITE_CFLAGS SQLITE_LIBS
		"$top/configure" CC=clang CXX=clang++ --with-fuzzer --with-sanitizer=$sanitizers
	) >"$dir/configure.log" 2>&1
fi
make -s -C "$dir/build" config.h >/dev/null
make -s -C "$dir/build" fuzz_targets='tests/fuzz/fuzz_index tests/fuzz/fuzz_query' fuzz-targets
cd "$dir/build"
abs_top_srcdir=$top abs_top_builddir=$PWD
export abs_top_srcdir abs_top_builddir
sh "$top/tests/fuzz/run-all.sh" "$dir/corpus" "$minutes" tests/fuzz/fuzz_index tests/fuzz/fuzz_query

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-sqlite.sh DIR [SOURCE] - compiles SQLite with $CC and $CFLAGS to DIR/libsqlite3.a
#
# SOURCE is sqlite3.c of the amalgamation, with its headers beside it; without it, the newest one
# that npm has is fetched. Prints what configure has to be told, so that errors of memory in SQLite
# itself are found:
#	CC=clang CFLAGS='-g1 -O2 -fsanitize=address,fuzzer-no-link' \
#		sh ../../tests/fuzz/build-sqlite.sh sqlite
set -eu
dir=$(mkdir -p "$1" && cd "$1" && pwd)
source=${2:-$(sh "$(dirname "$0")/../fetch-sqlite.sh" "$dir")}
# shellcheck disable=SC2086
${CC:-cc} ${CFLAGS:-} -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB \
	-DSQLITE_ENABLE_MATH_FUNCTIONS -c "$source" -o "$dir/sqlite3.o"
${AR:-ar} rcs "$dir/libsqlite3.a" "$dir/sqlite3.o"
echo "SQLITE_CFLAGS=-I$(dirname "$source")"
echo "SQLITE_LIBS=$dir/libsqlite3.a -lm -lpthread -ldl"

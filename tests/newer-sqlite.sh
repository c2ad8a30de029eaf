#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# newer-sqlite.sh BUILD_DIR TEST... - runs tests against the newest SQLite that npm has
#
# The npm package better-sqlite3 contains the amalgamation of a recent SQLite. It is fetched once,
# compiled to a shared library in BUILD_DIR/newer-sqlite, and put before that of the system.
# Without npm, or if it cannot fetch the package, nothing is run and the status is 0.
set -eu
build=$1; shift
dir=$build/newer-sqlite
mkdir -p "$dir/lib"
command -v npm >/dev/null || { echo "SKIP: npm is not there"; exit 0; }

source=$dir/package/deps/sqlite3/sqlite3.c
if [ ! -f "$source" ]; then
	(cd "$dir" && npm pack --silent better-sqlite3 >/dev/null 2>npm.log) ||
		{ echo "SKIP: npm cannot fetch better-sqlite3, see $dir/npm.log"; exit 0; }
	tar -xzf "$dir"/better-sqlite3-*.tgz -C "$dir"
fi
if [ ! -f "$dir/lib/libsqlite3.so.0" ]; then
	${CC:-cc} -O1 -fPIC -shared -Wl,-soname,libsqlite3.so.0 -DSQLITE_ENABLE_FTS5 \
		-DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB \
		-DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_UNLOCK_NOTIFY \
		-o "$dir/lib/libsqlite3.so.tmp" "$source" -lm -lpthread -ldl
	mv "$dir/lib/libsqlite3.so.tmp" "$dir/lib/libsqlite3.so.0"
fi
echo "SQLite $(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' "$source")"
LD_LIBRARY_PATH=$dir/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
cd "$build"
exec "${MAKE:-make}" check TESTS="$*"

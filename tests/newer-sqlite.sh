#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# newer-sqlite.sh BUILD_DIR TEST... - runs tests against the newest SQLite that npm has
#
# It is fetched once (fetch-sqlite.sh), compiled to a shared library in BUILD_DIR/newer-sqlite, and
# put before that of the system. If it cannot be fetched, nothing is run and the status is 0.
set -eu
build=$1; shift
dir=$build/newer-sqlite
mkdir -p "$dir/lib"
source=$(sh "$(dirname "$0")/fetch-sqlite.sh" "$dir" 2>&1) || { echo "SKIP: $source"; exit 0; }
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

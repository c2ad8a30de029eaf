#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch-sqlite.sh DIR - fetches the amalgamation of the newest SQLite that npm has into DIR, once,
# and prints the name of its source
#
# The npm package better-sqlite3 contains it. Without npm, or if it cannot fetch the package, the
# status is 1.
set -eu
dir=$1
source=$dir/package/deps/sqlite3/sqlite3.c
if [ ! -f "$source" ]; then
	mkdir -p "$dir"
	command -v npm >/dev/null || { echo "npm is not there" >&2; exit 1; }
	(cd "$dir" && npm pack --silent better-sqlite3 >/dev/null 2>npm.log) ||
		{ echo "npm cannot fetch better-sqlite3, see $dir/npm.log" >&2; exit 1; }
	tar -xzf "$dir"/better-sqlite3-*.tgz -C "$dir"
fi
echo "$source"

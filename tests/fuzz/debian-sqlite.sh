#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# debian-sqlite.sh DIR - fetches the source of Debian's package sqlite3 into DIR, once, with its
# patches, makes the amalgamation of it, and prints the name of its source
#
# It is that of the system's own sources of packages, which are asked for sources too. Without apt,
# tclsh or a network, the reason is printed and the status is 1.
set -eu
dir=$(mkdir -p "$1" && cd "$1" && pwd)
fail() { echo "$1" >&2; exit 1; }

if [ ! -f "$dir/made/sqlite3.c" ]; then
	for program in apt-get dpkg-source tclsh; do
		command -v $program >/dev/null || fail "$program is not there"
	done
	mkdir -p "$dir/apt/sources" "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial"
	for list in /etc/apt/sources.list.d/*.sources; do
		[ -f "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$dir/apt/sources/${list##*/}"
	done
	[ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$dir/apt/sources/all.list"
	set -- -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$dir/apt/sources" \
		-o Dir::State::Lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" -o APT::Sandbox::User=
	(cd "$dir" && apt-get "$@" update && apt-get "$@" source --only-source sqlite3) >"$dir/apt.log" 2>&1 ||
		fail "the source of sqlite3 cannot be fetched, see $dir/apt.log"
	set -- "$dir"/sqlite3-*/configure
	[ -f "$1" ] || fail "the source of sqlite3 has no configure"
	mkdir -p "$dir/making"
	(cd "$dir/making" && CC=cc CFLAGS=-O1 "$1" --disable-tcl && make sqlite3.c) >"$dir/making.log" 2>&1 ||
		fail "the amalgamation cannot be made, see $dir/making.log"
	mkdir -p "$dir/made.new"
	cp "$dir/making/sqlite3.c" "$dir/making/sqlite3.h" "$dir/made.new"
	mv "$dir/made.new" "$dir/made"
fi
echo "$dir/made/sqlite3.c"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shared-client.sh BUILD QUERY: what it costs if the client shares libtarsier with other programs instead of having its
# code inside. Links the client of BUILD both ways, with all of its layer in the library and the library's own names
# bound within it, and counts instructions (valgrind) of "--version" and of a search in the user's index; beside
# them a program that makes this search through the functions of tarsier.h.
set -eu
build=$(cd "$1" && pwd) query=$2 top=$(cd "$(dirname "$0")/.." && pwd) work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
hard="-Wl,-z,relro -Wl,-z,now -Wl,--as-needed"
libraries=$(sed -n "s/^dependency_libs='\(.*\)'/\1/p" "$build/ui-cli/libcli.la")
archive=$build/ui-cli/.libs
mkdir verbs
(cd verbs && ar x "$archive/libcli.a" && ar t "$archive/libapp.a" | xargs rm -f)
# shellcheck disable=SC2086
{
	cc -pie -o inside "$build/ui-cli/tarsier-main.o" "$archive/libcli.a" $hard $libraries
	cc -shared -o libshared.so -Wl,--whole-archive "$archive/libapp.a" -Wl,--no-whole-archive -Wl,-Bsymbolic $hard $libraries
	cc -pie -o shared "$build/ui-cli/tarsier-main.o" verbs/*.o -L. -lshared $hard $libraries -Wl,-rpath,"$work"
}
cat >public.c <<'END'
#include "tarsier.h"
#include <stdio.h>
int main(int argc, char **argv)
{
	tarsier *index;
	if (tarsier_open(NULL, &index) == TARSIER_OK && tarsier_query(index, argv[1], 0, 0, 10) == TARSIER_OK)
		while (tarsier_next(index) == TARSIER_OK)
			puts(tarsier_field(index, "path"));
	tarsier_close(index);
}
END
cc -I"$top/library" -o public public.c -L"$build/library/.libs" -ltarsier -Wl,-rpath,"$build/library/.libs"

# count NAME COMMAND...: millions of instructions
count() {
	name=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
		awk -v name="$name" '/Collected/ { printf "%-28s %7.2f\n", name, $4 / 1e6 }'
}

count "inside, --version" ./inside --version
count "shared, --version" ./shared --version
count "inside, search -l -n 10" ./inside search -l -n 10 "$query"
count "shared, search -l -n 10" ./shared search -l -n 10 "$query"
count "tarsier.h, the same search" ./public "$query"

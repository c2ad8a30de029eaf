#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-hardening.sh - every program and plugin is built so that errors of memory are hard to exploit.
# The options of the build are read from the flags that the compiler records in each object; that every source
# has _FORTIFY_SOURCE is checked by config.h.
. "$abs_top_srcdir/tests/lib.sh"

flags=$(sed -n 's/^HARDEN_CFLAGS = *//p' "$abs_top_builddir/Makefile")
[ -n "$flags" ] || skip_all "configured without hardening"
machine=$(uname -m)
branches=
[ "$machine" != x86_64 ] || branches=-fcf-protection=full
for flag in -fstack-protector-strong -fstack-clash-protection $branches -D_FORTIFY_SOURCE=; do
	like "configure found that the compiler takes $flag" " $flags" " $flag"
done
recorded=$(echo "$flags" | tr ' ' '\n' | grep -E '^-f(stack|trivial|cf)' | tr '\n' ' ')

# without_flag OBJECT FLAG: how many sources of OBJECT were compiled without FLAG
without_flag() { readelf -p .GCC.command.line "$1" | grep '^ *\[' | grep -cvF -- " $2"; }

for object in "$abs_top_builddir/ui-cli/tarsier" "$abs_top_builddir/daemon/tarsierd" "$abs_top_builddir/ui-bus/tarsier-bus" "$abs_top_builddir/ui-web/tarsier-browse" "$abs_top_builddir/ui-fuse/tarsier-mount" \
	"$abs_top_builddir/extractors/tarsier-extract" "$abs_top_builddir/fetch/tarsier-fetch" "$abs_top_builddir/fetch/tarsier-partition" \
	"$abs_top_builddir"/extractors/.libs/*.so "$abs_top_builddir"/library/.libs/libtarsier.so.0; do
	[ -e "$object" ] || continue # built without its library
	name=${object##*/}
	elf=$(readelf -Wldn "$object")
	like "$name records the flags of its sources" "$(readelf -p .GCC.command.line "$object")" '^ *\['
	for flag in $recorded; do
		is "every source of $name is compiled with $flag" "$(without_flag "$object" "$flag")" 0
	done
	like "$name has its table of addresses read-only" "$elf" 'GNU_RELRO'
	like "$name resolves its symbols when it is loaded" "$elf" 'FLAGS_1.*NOW'
	like "$name has a stack that is not executable" "$elf" 'GNU_STACK .* RW  '
	is "$name has no segment that can be written and executed" "$(echo "$elf" | grep -c 'LOAD .* RWE')" 0
	case $name in *.so*) continue ;; esac
	like "$name is loaded at a random address" "$elf" 'FLAGS_1.*PIE'
	like "$name checks the lengths of buffers" "$(readelf -W --dyn-syms "$object")" '_chk@'
done
done_testing

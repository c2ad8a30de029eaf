#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-jail.sh: what comes of a file is the same inside the jail and outside
. "$abs_top_srcdir/tests/lib.sh"
data=$abs_top_srcdir/tests/extractors/data

for file in "$data"/*; do
	case $file in *.expected) continue ;; esac
	outside=$("$TARSIER_EXTRACT" --no-jail --file "$file" 2>/dev/null)
	ok "${file##*/} is converted" test -n "$outside"
	is "${file##*/}" "$("$TARSIER_EXTRACT" --file "$file" 2>/dev/null)" "$outside"
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sql2h.sh NAME FILE...: prints C that defines `static const char NAME[]` as the text of the FILEs,
# without comment lines.
set -eu
name=$1; shift
printf 'static const char %s[] =\n' "$name"
sed -e '/^[[:space:]]*--/d' -e '/^[[:space:]]*$/d' -e 's/[[:space:]]--[[:space:]].*$//' \
	-e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/\t"/' -e 's/$/\\n"/' "$@"
printf '\t"";\n'

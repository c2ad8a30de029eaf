#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# text2h.sh NAME FILE: prints C that defines `static const char NAME[]` as the text of the FILE.
set -eu
printf 'static const char %s[] =\n' "$1"
sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/\t"/' -e 's/$/\\n"/' "$2"
printf '\t"";\n'

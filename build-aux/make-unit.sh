#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make-unit.sh units/ROOM.c SOURCE...: writes the file, which includes those sources in C that belong
# to ROOM or are shared by plugins. Their names are relative to the top directory.
set -eu
unit=$1; shift
room=${unit#units/}
room=${room%.c}
mkdir -p "${unit%/*}"
for source; do
	case $source in "$room"/*.c | extractors/shared/*.c) echo "#include \"$source\"" ;; esac
done >"$unit.tmp"
mv "$unit.tmp" "$unit"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# migrations2h.sh NNNN-WHAT.sql...: prints C that defines `migrations`, a table of the steps in their order.
set -eu
here=$(dirname "$0")
table=
for file in "$@"; do
	number=$(basename "$file" | sed -n 's/^0*\([1-9][0-9]*\)-.*\.sql$/\1/p')
	[ -n "$number" ] || { echo "$0: $file is not NNNN-WHAT.sql" >&2; exit 1; }
	sh "$here/sql2h.sh" "migration_$number" "$file"
	table="$table
	{$number, migration_$number},"
done
printf 'static const Migration migrations[] = {%s\n\t{0, NULL}\n};\n' "$table"

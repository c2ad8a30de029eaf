#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The installed documents speak only of what is installed: their links lead to each other, and no command needs the sources.
. "$abs_top_srcdir/tests/lib.sh"
installed=$abs_top_builddir/docs/installed
beside=$(echo $(sed -n 's/^dist_doc_DATA += //p' "$abs_top_srcdir/docs/Makefile.inc"; ls "$installed"))
is "README, OUTPUT and NEWS are installed" "$(echo "$beside" | tr ' ' '\n' | grep -cxE 'README.md|OUTPUT.md|NEWS')" 3
for document in "$installed"/*.md; do
	name=${document##*/}
	missing=
	for target in $(grep -oE '\]\([^):]*\)' "$document" | tr -d '()]'); do
		echo "$beside" | tr ' ' '\n' | grep -qxF "$target" || missing="$missing $target"
	done
	is "every link of the installed $name leads to an installed document" "$missing" ""
	is "the installed $name names no other document of the sources as if it were there" \
		"$(grep -nE '\((\.\./|docs/)' "$document")" ""
	not_ok "the installed $name has no marks for what was left out" 1 grep -q '<!--' "$document"
done
# in_sources FILE...: the lines that name an installed document by its place in the sources
in_sources() { grep -nE "docs/($(echo "$beside" | sed 's/\./\\./g; s/ /|/g'))" "$@"; }
printf 'in docs/%s\n' $beside >"$TEST_TMP/places"
is "a place in the sources is noticed for each installed document" "$(in_sources "$TEST_TMP/places" | wc -l)" "$(echo "$beside" | wc -w)"
is "help, manual pages, messages and NEWS name installed documents as they are called there" \
	"$(cd "$abs_top_srcdir" && in_sources NEWS po/de.po docs/man/*.[158] docs/man/de/* data/help/*.md data/help/de/*.md)" ""
is "no command of the installed README needs the sources" \
	"$(grep -nE '(^|[ `])(\./[a-z]|autoreconf|make|configure)\>' "$installed/README.md")" ""
is "README in the sources marks the beginning and the end of what is not installed" \
	"$(grep -c '^<!-- sources only -->$' "$abs_top_srcdir/README.md")" "$(grep -c '^<!-- end -->$' "$abs_top_srcdir/README.md")"

cut() { printf '%b' "$1" | ${AWK:-awk} -v docs='README.md OUTPUT.md' -f "$abs_top_srcdir/build-aux/installed-doc.awk"; }
is "what is for the sources only is left out, with one empty line" \
	"$(cut 'a\n\n<!-- sources only -->\nb\n\n<!-- end -->\n\nc\n')" "$(printf 'a\n\nc')"
is "a link to a document beside leads there" "$(cut 'see [docs/OUTPUT.md](docs/OUTPUT.md#x).\n')" 'see [OUTPUT.md](OUTPUT.md).'
is "a link to another one is words" "$(cut 'see [the notes](docs/NOTES.md), [it](OUTPUT.md)\n')" 'see the notes of the sources, [OUTPUT.md](OUTPUT.md)'
is "a link to a site stays" "$(cut '[x](https://example.org/)\n')" '[x](https://example.org/)'
is "a row about a document that is not installed is left out" "$(cut '| [N](N.md) | x |\n| [O](OUTPUT.md) | y |\n')" '| [OUTPUT.md](OUTPUT.md) | y |'
done_testing

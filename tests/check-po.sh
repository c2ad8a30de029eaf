#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every message can be translated, and every language that is offered is complete.
. "$abs_top_srcdir/tests/lib.sh"
command -v xgettext >/dev/null && command -v msgfmt >/dev/null || skip_all "needs gettext's tools"
cd "$abs_top_srcdir" || exit 99

is "every source with messages is in POTFILES.in" \
	"$(grep -rlE '(^|[^A-Za-z_])(_|N_|ngettext)\("' --include='*.[ch]' common index extractors fetch daemon ui-cli ui-bus ui-web ui-fuse library |
		while read -r f; do grep -qxF "$f" po/POTFILES.in || echo "$f"; done)" ""
is "every file of POTFILES.in exists" \
	"$(grep -v '^#' po/POTFILES.in | while read -r f; do [ -f "$f" ] || echo "$f"; done)" ""

# Names of parts of a file, as content.xml, have no blank.
is "every detail that an extractor tells in its own words can be translated" \
	"$(grep -rhoE 'sink_(fail|truncated)\([^;]*, "[^"]* [^"]*"\)' --include='*.c' --include='*.cc' extractors |
		sed 's/.*, \("[^"]*"\))$/\1/' | sort -u |
		while read -r detail; do grep -qF "N_($detail)" common/base/document-problem.c || echo "$detail"; done)" ""

is "every detail of document-problem.h can be translated" \
	"$(sed -n 's/^#define PROBLEM_[A-Z_]* \(".*[^ ]"\)$/\1/p' common/base/document-problem.h |
		while read -r detail; do grep -qF "N_($detail)" common/base/document-problem.c || echo "$detail"; done)" ""
is "no detail is translated before it is stored" \
	"$(grep -rlzE '(job_fail|reply_fail_open)\([^;]*[^A-Z]_\("' --include='*.c' common)" ""

grep -v '^#' po/POTFILES.in | xgettext --files-from=- --from-code=UTF-8 --keyword=_ --keyword=N_ \
	--keyword=ngettext:1,2 -o "$TEST_TMP/tarsier.pot"
# Prints the messages of a kind, without the header. A message of several lines begins with an empty one.
messages() {
	msgattrib "$1" --no-obsolete "$2" | awk '/^msgid ""$/ { if ((getline line) > 0 && line ~ /^"/) print line; next } /^msgid /'
}
# Signs of the query language and of a shell stay as they are written there.
is "de: words are quoted as in German, with „ and “" \
	"$(msgcat --no-wrap po/de.po | grep '^msgstr.*\\"' | grep -v -e 'mit \\"\.' -e '\\"eins zwei\\"' -e '\\"\$1\\"' -e '\\"eins\\" NEAR' -e '\\"in Anführungszeichen\\"')" ""
is "de: one word is used for one thing" "$(grep -nE 'indizier|Kennwort' po/de.po docs/man/de/tarsier*.[158] data/help/de/*.md | grep -v 'Kennwortspeicher')" ""
for language in $(grep -v '^#' po/LINGUAS); do
	msgmerge -q -N "po/$language.po" "$TEST_TMP/tarsier.pot" -o "$TEST_TMP/$language.po"
	ok "$language: msgfmt finds no fault in formats and plural forms" msgfmt -c -o /dev/null "$TEST_TMP/$language.po"
	is "$language: every message is translated" "$(messages --untranslated "$TEST_TMP/$language.po")" ""
	is "$language: no translation is fuzzy" "$(messages --only-fuzzy "$TEST_TMP/$language.po")" ""
done
done_testing

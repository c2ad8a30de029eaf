#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A translated manual page has what the English one has: every verb, option, key, variable, file
# and exit status. A new language can be begun by one command.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_srcdir" || exit 99

# Parts that a translation must not change. Words of a query and names of examples may differ.
options() { grep -o 'Fl [^ ]*' "$1" | sort -u; }
verbs() { sed -n 's/^\.It Cm \([^ ]*\).*/\1/p' "$1"; }
presets() { sed -n 's/^\.It Cm \([^ ]*\) No.* Li \(.*\) )$/\1 \2/p' "$1"; }
variables() { grep '^\.It Ev' "$1" | tr ' ' '\n' | grep '^[A-Z]' | sort; }
files() { grep '^\.It Pa' "$1"; }
statuses() { sed -n 's/^\.It \([0-9][0-9]*\)$/\1/p' "$1"; }
items() { grep -c '^\.It' "$1"; }
sections() { grep -c '^\.S[hs]' "$1"; }

# tarsier-output(5) is made of the help on output, in each language; tests/cli/help.sh compares those.
pages=$(find docs/man -maxdepth 1 -name '*.[1-9]' ! -name 'tarsier-output.*' | sort)
for page in $pages; do
	for translated in docs/man/*/"${page##*/}"; do
		for what in options verbs presets variables files statuses items sections; do
			is "$translated has the $what of $page" "$($what "$translated")" "$($what "$page")"
		done
		ok "$translated is UTF-8 and no line is longer than 110 characters" python3 -c '
import sys
assert max(map(len, open(sys.argv[1], encoding="utf-8").read().split("\n"))) <= 110' "$translated"
		if command -v mandoc >/dev/null; then
			is "mandoc has no warning for $translated" "$(mandoc -T lint -W warning "$translated")" ""
		else
			skip "mandoc has no warning for $translated" "needs mandoc"
		fi
		ok "$translated is installed" grep -q "$translated" docs/Makefile.inc
	done
done
# groff puts a quotation into the one that began before it in the same line.
for page in docs/man/*.[1-9] docs/man/*/*.[1-9]; do
	is "no line of $page has two quotations" "$(grep -nE '^[.](.* )?(Dq|Ql|Qq|Sq) .* (Dq|Ql|Qq|Sq) ' "$page")" ""
done
for language in $(grep -v '^#' po/LINGUAS); do
	for page in $pages; do
		ok "$language has ${page##*/}" test -s "docs/man/$language/${page##*/}"
	done
	ok "$language has tarsier-output.5, and it is installed" \
		grep -q "^nodist_man_${language}[0-9]*_DATA = docs/man/$language/tarsier-output.5" docs/Makefile.inc
done
ok "the options of tarsier(1) are found at all" sh -c '[ "$1" -ge 40 ]' sh "$(options docs/man/tarsier.1 | wc -l)"
ok "the keys of tarsier.conf(5) are found at all" sh -c '[ "$1" -ge 15 ]' sh "$(verbs docs/man/tarsier.conf.5 | wc -l)"

# ---- a new language
command -v msginit >/dev/null || { skip "a new language can be begun" "needs gettext's tools"; done_testing; exit; }
tree=$TEST_TMP/tree
mkdir "$tree"
(cd "$abs_top_srcdir" && tar cf - --exclude=build --exclude='.git' po common index extractors fetch daemon ui-cli ui-bus ui-web ui-fuse library) | tar xf - -C "$tree"
chmod -R u+w "$tree"
exits "po/new-language begins a language" 0 "$tree/po/new-language" pt_BR
ok "its file is valid" msgfmt -c -o /dev/null "$tree/po/pt_BR.po"
like "it has the plural forms of the language" "$(cat "$tree/po/pt_BR.po")" 'nplurals=2; plural=(n > 1)'
is "it has as many messages as the German one" \
	"$(msgattrib --untranslated "$tree/po/pt_BR.po" | grep -c '^msgid ')" "$(msgattrib --no-obsolete po/de.po | grep -c '^msgid ')"
is "the language is listed" "$(cat "$tree/po/LINGUAS")" "de
pt_BR"
exits "a language that is there is refused" 1 "$tree/po/new-language" de
exits "what is not a language is refused" 2 "$tree/po/new-language" ../../x
is "and nothing changes" "$(wc -l <"$tree/po/LINGUAS")" 2
done_testing

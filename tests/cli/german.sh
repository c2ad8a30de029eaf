#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The client speaks German where the locale asks for it: help, states, reasons, doctor. The
# output for scripts stays as it is.
. "$abs_top_srcdir/tests/lib.sh"
command -v msgfmt >/dev/null || skip_all "needs gettext's tools"
mkdir -p "$TEST_TMP/locale/de/LC_MESSAGES"
msgfmt -o "$TEST_TMP/locale/de/LC_MESSAGES/tarsier.mo" "$abs_top_srcdir/po/de.po"
# The C library of Debian 13 takes no translation in C.UTF-8: this is the same locale by another name.
ln -s /usr/lib/locale/C.utf8 "$TEST_TMP/locale/en_US.utf8"
german() { LOCPATH="$TEST_TMP/locale" LC_ALL=en_US.UTF-8 LANGUAGE=de TARSIER_LOCALE="$TEST_TMP/locale" "$@"; }
english() { LC_ALL=C.UTF-8 LANGUAGE= "$@"; }

german tarsier help >"$TEST_TMP/de"
english tarsier help >"$TEST_TMP/en"
like "LANGUAGE=de is enough in a locale of another language" "$(head -n 1 "$TEST_TMP/de")" '^Aufruf: tarsier'
# Lines that need no translation: empty ones, lists of choices, and code, which is indented by four.
same_lines() { grep -Fxf "$1" "$2" | grep -E '[a-z]{3}' | grep -vE '^ *[a-z]+(\|[a-z]+)+$|^ {4}( {4})?[^ ]'; }
is "no line of the help is English" "$(same_lines "$TEST_TMP/en" "$TEST_TMP/de")" ""
for verb in $(english tarsier help | sed -n '/^Verbs:/,/^$/p' | awk 'NR > 1 && NF { print $1 }'); do
	german tarsier help "$verb" >"$TEST_TMP/de"
	english tarsier help "$verb" >"$TEST_TMP/en"
	is "no line of the help of $verb is English" "$(same_lines "$TEST_TMP/en" "$TEST_TMP/de")" ""
	is "no argument of $verb is an English word" \
		"$(grep -oE '\<(FILE|DIR|QUERY|PATH|KEY|VALUE|SECONDS|WHICH|COMMAND|TYPE)\>' "$TEST_TMP/de" | sort -u)" ""
done

d=$HOME/docs; mkdir -p "$d"
printf 'Ein Text\n' >"$d/a.txt"
printf '%%PDF-1.4\nbroken\n' >"$d/broken.pdf"
german tarsier -q add "$d"
exits "the German client indexes" 0 german tarsier index
like "the summary is German" "$(cat "$TEST_TMP/err")" 'enthält 2 Dateien und 2 Dokumente; 1 fehlgeschlagen'
like "a note of a search is German" "$(german tarsier text 2>&1)" '^Unvollständig: 1 fehlgeschlagen\.$'
like "the reason of a failure is German" "$(german tarsier failed)" 'broken.pdf	beschädigt: '
printf '\037\213\010\000no gzip' >"$d/broken.gz"
german tarsier -q index
like "the words of a library are quoted" "$(german tarsier failed)" 'broken.gz	beschädigt: „.*“$'
like "info has a German state" "$(german tarsier info "$d/broken.pdf")" 'Status *Fehler$'
like "info has a German kind" "$(german tarsier info "$d/broken.pdf")" 'Art *Datei$'
is "the values of info stand in one column" \
	"$(german tarsier info "$d/broken.pdf" | sed -n 's/^  \(Status\|Eigentümer, Rechte\|Dokument\)\( *\).*/\1\2/p' | sed 's/./x/g' | sort -u | wc -l)" 1
head -c 3533 /dev/zero | tr '\0' a >"$d/bytes.txt"
german tarsier -q index
like "the digits of a number of bytes are not grouped, as those of no other number are" \
	"$(german tarsier info "$d/bytes.txt")" 'Größe .*B (3533 Bytes)$'
like "list on a terminal has a German state" "$(german tarsier --color always list)" ' Fehler '
printf 'Die Bestätigung kam.\n' >"$d/Bestätigung Müller.txt"
german tarsier -q index
like "a suggestion has the marks that documents have" "$(german tarsier Bestatigng 2>&1)" ': Bestätigung$'
like "so it has in several words" "$(german tarsier bestatigng muler 2>&1)" ': Bestätigung Müller$'
printf 'Ein Brief\n' >"$d/Großmutter.txt"
german tarsier -q index
like "ß is such a mark" "$(german tarsier großmuttr 2>&1)" ': Großmutter$'
like "a query is not spelt otherwise" "$(german tarsier bestatigng muller 2>&1)" ': Bestätigung muller$'
printf 'Die Nebenkostenabrechnung kam.\n' >"$d/compound.txt"
german tarsier -q index
like "a word that only begins a compound is told the compound" "$(german tarsier nebenkosten 2>&1)" 'nebenkostenabrechnung'
printf 'From: a@example.org\nTo: b@example.org\nDate: Tue, 3 Mar 2026 10:00:00 +0000\nSubject: x\n\nText\n' >"$d/x.eml"
german tarsier -q index
german tarsier show "$d/x.eml" >"$TEST_TMP/page"
like "show names the author in German" "$(cat "$TEST_TMP/page")" '^Autor: a@example.org'
like "show names the recipient in German" "$(cat "$TEST_TMP/page")" '^Empfänger: b@example.org'
like "show tells the time as a search does" "$(cat "$TEST_TMP/page")" '^Datum: 2026-03-03 10:00$'
like "a search names the field of a passage in German" "$(german tarsier --long 'example.org')" '^    \(Autor\|an\): '
not_ok "without a daemon, status says once that nothing runs" 1 german sh -c "tarsier status | grep 'läuft nicht, [0-9]'"
like "status has a German state" "$(german tarsier status)" '^Status *läuft nicht$'
like "doctor --json has English keys and a German detail" "$(german tarsier doctor --json)" \
	'{"check":"sandbox","ok":[a-z]*,"detail":"tarsier: \(vollständig\|keine\|nur\|seccomp\)'
like "doctor names the level of the sandbox in German" "$(german tarsier doctor)" 'Sandbox: tarsier: \(vollständig\|keine\|nur\|seccomp\)'
like "a fault in a query is told in German" "$(german tarsier foo:bar 2>&1)" 'Unbekanntes Feld'
is "JSON does not depend on the language" \
	"$(german tarsier info --json "$d/broken.pdf")" "$(english tarsier info --json "$d/broken.pdf")"
is "neither does the status as JSON" \
	"$(german tarsier status --json | grep -o '^{"state":"[a-z]*"')" '{"state":"stopped"'
done_testing

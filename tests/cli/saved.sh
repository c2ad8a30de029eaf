# SPDX-License-Identifier: GPL-3.0-or-later
# Saved searches are kept in a private file and used by saved: alone.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d"
printf 'red apples\n' >"$d/a.txt"
printf 'green apples\n' >"$d/b.txt"
printf 'green pears\n' >"$d/c.md"
tarsier -q add "$d"
tarsier -q index
file=$HOME/.config/tarsier/saved-searches

exits "saved exits with 1 if no search is saved" 1 tarsier saved
like "saved says how to save a search" "$(cat "$TEST_TMP/err")" 'saved add NAME QUERY'
not_ok "listing saved searches makes no file" 1 test -e "$file"
tarsier green >/dev/null
is "a search leaves no trace of its words on disk" \
	"$(grep -rls green "$HOME/.config" "$HOME/.cache/tarsier/last-search" "$XDG_RUNTIME_DIR/tarsier/last-search")" ""
exits "saved add exits with 0" 0 tarsier saved add fruit apples OR pears
is "the file of saved searches is readable by its owner alone" "$(stat -c %a "$file")" 600
exits "saved add takes a query with a negation" 0 tarsier saved add unripe saved:fruit -red
exits "saved add takes a name in letters of any script" 0 tarsier saved add Früchte_2.x ext:txt
is "saved list prints names and queries in the order they were saved" \
	"$(tarsier saved list)" "fruit	apples OR pears
unripe	saved:fruit -red
Früchte_2.x	ext:txt"
is "saved --json prints name and query" \
	"$(tarsier saved --json | head -n 1)" '{"name":"fruit","query":"apples OR pears"}'

is "saved: finds what the saved query finds" "$(tarsier -s path saved:fruit)" "$d/a.txt
$d/b.txt
$d/c.md"
is "a saved query is put in parentheses" "$(tarsier -s path green saved:fruit)" "$d/b.txt
$d/c.md"
is "a saved query may use another saved query" "$(tarsier -s path saved:unripe ext:md)" "$d/c.md"
is "a saved query can be negated" "$(tarsier -- -saved:unripe ext:txt)" "$d/a.txt"
is "a saved query may be used twice in one query" \
	"$(tarsier -s path saved:unripe saved:unripe)" "$d/b.txt
$d/c.md"
is "--any does not change a saved query" "$(tarsier -a -s path saved:unripe)" "$d/b.txt
$d/c.md"

exits "an unknown saved query exits with 2" 2 tarsier apples saved:nothing
is "the message marks the unknown saved name" \
	"$(sed -n 3p "$TEST_TMP/err")" "               ^^^^^^^"
exits "saved add refuses a query that uses itself" 2 tarsier saved add loop red saved:loop
exits "saved add refuses a replacement that would close a circle" \
	2 tarsier saved add fruit red saved:unripe
like "the message says that a saved query leads to itself" \
	"$(cat "$TEST_TMP/err")" 'refers to itself'
is "a refused replacement leaves the old query" \
	"$(tarsier saved | head -n 1)" "fruit	apples OR pears"
exits "saved add refuses a query with a syntax error" 2 tarsier saved add bad '"open'
exits "saved add refuses a name with a space" 2 tarsier saved add 'a b' red
exits "saved add refuses a name that begins as an option does" 2 tarsier saved add -n 5 red
like "the message names it" "$(cat "$TEST_TMP/err")" 'cannot begin with "-", as "-n" does'
exits "saved add without a query exits with 2" 2 tarsier saved add name
exits "an unknown subcommand of saved exits with 2" 2 tarsier saved drop fruit
printf 'a/b=red\n' >>"$file"
is "saved list leaves out what is no name in an edited file" "$(tarsier saved 2>/dev/null | grep -c a/b)" 0
like "and says so" "$(tarsier saved 2>&1 >/dev/null)" '"a/b" is not a valid name'
printf '[saved]\nx=saved:y\ny=(red saved:x)\nz="open\n' >>"$file"
exits "a circle in an edited file exits with 2" 2 tarsier saved:x
exits "a syntax error in an edited file exits with 2" 2 tarsier saved:z
like "the message names the saved query that has the syntax error" \
	"$(cat "$TEST_TMP/err")" 'In the saved search "z"'
words=$(seq -s ' ' 40)
exits "saved add takes a query of 40 words" 0 tarsier saved add long "$words"
exits "two saved queries with too many words together exit with 2" 2 tarsier saved:long saved:long
like "the message says that the query has too many words" "$(cat "$TEST_TMP/err")" 'Too many words'

exits "saved add replaces a query of the same name" 0 tarsier saved add fruit pears
like "saved add prints the query that it replaces" "$(cat "$TEST_TMP/err")" 'apples OR pears'
is "saved: uses the replaced query" "$(tarsier saved:fruit)" "$d/c.md"
exits "saved add takes a word like an option as a word" 0 tarsier saved add typed -t text
like "and says that it is no option" "$(cat "$TEST_TMP/err")" '"-t" is not an option'
like "and what to write instead" "$(cat "$TEST_TMP/err")" 'write type:VALUE'
tarsier saved add typed text --type=message 2>"$TEST_TMP/err"
like "of a long option too" "$(cat "$TEST_TMP/err")" 'write type:VALUE'
exits "saved add takes an excluded word" 0 tarsier saved add typed red -apples
is "which needs no note" "$(grep -c "is not an option" "$TEST_TMP/err")" 0
tarsier -q saved remove typed
exits "saved remove exits with 0" 0 tarsier saved remove unripe
exits "a removed saved query is unknown" 2 tarsier saved:unripe
exits "saved remove of an unknown name exits with 1" 1 tarsier saved remove unripe
printf 'no key file\n' >"$file"
exits "saved list of a broken file exits with 2" 2 tarsier saved list
exits "other queries are answered although the file of saved searches is broken" \
	0 tarsier red
done_testing

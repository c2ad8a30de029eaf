# SPDX-License-Identifier: GPL-3.0-or-later
# saved searches: kept in a private file, used in queries, never by themselves.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d"
printf 'red apples\n' >"$d/a.txt"
printf 'green apples\n' >"$d/b.txt"
printf 'green pears\n' >"$d/c.md"
tarsier -q add "$d"
tarsier -q index
file=$HOME/.config/tarsier/saved-searches

exits "nothing is saved" 1 tarsier saved
like "and how to" "$(cat "$TEST_TMP/err")" 'saved add NAME QUERY'
not_ok "a search leaves no trace" test -e "$file"
tarsier green >/dev/null; not_ok "nor does a search" grep -rq green "$HOME/.config" "$HOME/.cache/tarsier/last-search" "$XDG_RUNTIME_DIR/tarsier/last-search"
exits "add" 0 tarsier saved add fruit apples OR pears
is "its file is private" "$(stat -c %a "$file")" 600
exits "add with an exclusion" 0 tarsier saved add unripe saved:fruit -red
exits "a name with letters of any script" 0 tarsier saved add Früchte_2.x ext:txt
is "list" "$(tarsier saved list)" "fruit	apples OR pears
unripe	saved:fruit -red
Früchte_2.x	ext:txt"
is "as JSON" "$(tarsier saved --json | head -n 1)" '{"name":"fruit","query":"apples OR pears"}'

is "saved:" "$(tarsier -s path saved:fruit)" "$d/a.txt
$d/b.txt
$d/c.md"
is "stands in parentheses" "$(tarsier -s path green saved:fruit)" "$d/b.txt
$d/c.md"
is "saved in saved" "$(tarsier -s path saved:unripe ext:md)" "$d/c.md"
is "excluded" "$(tarsier -- -saved:unripe ext:txt)" "$d/a.txt"
is "twice" "$(tarsier -s path saved:unripe saved:unripe)" "$d/b.txt
$d/c.md"
is "--any leaves it as it was saved" "$(tarsier -a -s path saved:unripe)" "$d/b.txt
$d/c.md"

exits "an unknown one" 2 tarsier apples saved:nothing
is "with a caret" "$(sed -n 3p "$TEST_TMP/err")" "               ^^^^^^^"
exits "that leads to itself" 2 tarsier saved add loop red saved:loop
exits "over another one" 2 tarsier saved add fruit red saved:unripe
like "is refused" "$(cat "$TEST_TMP/err")" 'refers to itself'
is "and the old one stays" "$(tarsier saved | head -n 1)" "fruit	apples OR pears"
exits "a wrong query" 2 tarsier saved add bad '"open'
exits "a wrong name" 2 tarsier saved add 'a b' red
exits "no query" 2 tarsier saved add name
exits "a wrong word" 2 tarsier saved drop fruit
printf '[saved]\nx=saved:y\ny=(red saved:x)\nz="open\n' >>"$file"
exits "a circle written by hand" 2 tarsier saved:x
exits "a wrong query written by hand" 2 tarsier saved:z
like "is named" "$(cat "$TEST_TMP/err")" 'In the saved search "z"'
words=$(seq -s ' ' 40)
exits "long ones" 0 tarsier saved add long "$words"
exits "together have too many words" 2 tarsier saved:long saved:long
like "is named too" "$(cat "$TEST_TMP/err")" 'Too many words'

exits "add again replaces" 0 tarsier saved add fruit pears
like "and says what" "$(cat "$TEST_TMP/err")" 'apples OR pears'
is "it is the new one" "$(tarsier saved:fruit)" "$d/c.md"
exits "remove" 0 tarsier saved remove unripe
exits "is gone" 2 tarsier saved:unripe
exits "remove what is not there" 1 tarsier saved remove unripe
printf 'no key file\n' >"$file"
exits "a broken file" 2 tarsier saved list
exits "keeps nobody from searching" 0 tarsier red
done_testing

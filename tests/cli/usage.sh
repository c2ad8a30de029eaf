# SPDX-License-Identifier: GPL-3.0-or-later
# What holds before there is any index: usage, help, exit codes, the man page agrees with the table of verbs.
. "$abs_top_srcdir/tests/lib.sh"
man=$abs_top_srcdir/docs/man/tarsier.1

exits "no arguments are wrong usage" 2 tarsier
like "and the help goes to stderr" "$(cat "$TEST_TMP/err")" '^Usage: tarsier'
is "not to stdout" "$(cat "$TEST_TMP/out")" ""
exits "--help" 0 tarsier --help
exits "--version" 0 tarsier --version
like "the version is there" "$(cat "$TEST_TMP/out")" '^tarsier [0-9]'
exits "an unknown option" 2 tarsier list --nonsense
like "names it" "$(cat "$TEST_TMP/err")" 'unknown option --nonsense'
exits "an unknown option of a search" 2 tarsier --nonsense word
exits "a value that is none of the choices" 2 tarsier search --sort=age word
exits "a number that is none" 2 tarsier search -n many word
exits "a word too many" 2 tarsier status now
exits "a word too few" 2 tarsier extract
exits "no query" 2 tarsier search
exits "help for no verb" 2 tarsier help nonsense

exits "a search without index" 3 tarsier word
like "says what to do" "$(cat "$TEST_TMP/err")" 'tarsier add'
is "and prints nothing" "$(cat "$TEST_TMP/out")" ""
exits "the words of a verb can be searched for" 3 tarsier -- status
exits "a wrong query is worse than no index" 2 tarsier 'nosuchfield:x'
for verb in "list" "info $HOME" "failed" "show 1" "check" "tui"; do
	exits "$verb without index" 3 tarsier $verb
done
for verb in "pause" "resume" "retry" "status --wait=1"; do
	exits "$verb without daemon" 3 tarsier $verb
done
exits "status without index" 3 tarsier status --json
like "is an object all the same" "$(cat "$TEST_TMP/out")" '^{"state":"stopped",.*"running":false,'
exits "status --check without index" 3 tarsier status --check
exits "index without roots" 2 tarsier index
like "names add" "$(cat "$TEST_TMP/err")" 'tarsier add'

verbs=$(tarsier help | sed -n '/^Verbs:/,/^$/p' | awk 'NR > 1 && NF { print $1 }')
is "the help lists the verbs" "$(echo $verbs)" \
	"search saved similar dups list show open info status failed retry add remove roots index pause resume extract formats check compact config doctor tui completion help"
for verb in $verbs; do
	exits "help $verb" 0 tarsier help "$verb"
	like "help $verb shows the usage" "$(cat "$TEST_TMP/out")" "^Usage: tarsier $verb "
	exits "$verb --help is the same" 0 tarsier "$verb" --help
	ok "the man page has $verb" grep -q "^\.It Cm $verb\b" "$man"
	missing=
	for option in $(tarsier help "$verb" | grep -o '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*' | sort -u); do
		grep -q "Fl -${option#--}\b" "$man" || missing="$missing $option"
	done
	is "the man page has every option of $verb" "$missing" ""
done

exits "open without a last search" 3 tarsier open 1
exits "open of a missing file" 1 tarsier open "$HOME/missing"
exits "output that cannot be written" 5 sh -c 'tarsier help >/dev/full'
like "says why" "$(cat "$TEST_TMP/err")" 'No space left'
exits "much of it" 5 sh -c 'tarsier formats >/dev/full'
not_ok "is no success" grep -q Success "$TEST_TMP/err"
exits "no output at all" 5 sh -c 'tarsier help >&-'
done_testing

# SPDX-License-Identifier: GPL-3.0-or-later
# Usage, help and exit statuses without an index; the man page has every verb and option.
. "$abs_top_srcdir/tests/lib.sh"
man=$abs_top_srcdir/docs/man/tarsier.1

exits "tarsier without arguments exits with 2" 2 tarsier
like "tarsier without arguments prints the help on stderr" \
	"$(cat "$TEST_TMP/err")" '^Usage: tarsier'
is "tarsier without arguments prints nothing on stdout" "$(cat "$TEST_TMP/out")" ""
exits "--help exits with 0" 0 tarsier --help
exits "--version exits with 0" 0 tarsier --version
like "--version prints the version" "$(cat "$TEST_TMP/out")" '^tarsier [0-9]'
exits "an unknown option of a verb exits with 2" 2 tarsier list --nonsense
like "the message names the unknown option" "$(cat "$TEST_TMP/err")" 'unknown option --nonsense'
exits "an unknown option of a search exits with 2" 2 tarsier --nonsense word
exits "a value outside of the choices of an option exits with 2" 2 tarsier search --sort=age word
exits "a value that is not a number exits with 2" 2 tarsier search -n many word
exits "too many arguments of a verb with subverbs exit with 2" 2 tarsier completion bash now
exits "too few arguments exit with 2" 2 tarsier extract
exits "search without a query exits with 2" 2 tarsier search
exits "help for an unknown verb exits with 2" 2 tarsier help nonsense

exits "a search without an index exits with 3" 3 tarsier word
like "a search without an index names tarsier add" "$(cat "$TEST_TMP/err")" 'tarsier add'
is "a search without an index prints nothing on stdout" "$(cat "$TEST_TMP/out")" ""
exits "a verb after -- is searched as a word" 3 tarsier -- status
exits "a wrong query exits with 2 even without an index" 2 tarsier 'nosuchfield:x'
for verb in "list" "info $HOME" "failed" "show 1" "check" "tui"; do
	exits "$verb without an index exits with 3" 3 tarsier $verb
done
for verb in "pause" "resume" "retry" "retry nowhere" "status --wait=1"; do
	exits "$verb without the daemon exits with 3" 3 tarsier $verb
done
tarsier retry nowhere >/dev/null 2>"$TEST_TMP/err"
not_ok "retry is not a word to search for" 1 grep -q 'tarsier search' "$TEST_TMP/err"
exits "config get of an unknown key exits with 2" 2 tarsier config get nosuchkey
not_ok "config get is not text to search for" 1 grep -q 'tarsier search' "$TEST_TMP/err"
exits "status --json without an index exits with 3" 3 tarsier status --json
like "status --json without an index prints an object all the same" \
	"$(cat "$TEST_TMP/out")" '^{"state":"stopped",.*"running":false,'
exits "status --check without an index exits with 3" 3 tarsier status --check
exits "index without roots exits with 2" 2 tarsier index
like "index without roots names tarsier add" "$(cat "$TEST_TMP/err")" 'tarsier add'
printf '[web:https://a.example/]\nkind = site\n' >"$TEST_TMP/sites.conf"
exits "index with sites only exits with 0" 0 tarsier index --config="$TEST_TMP/sites.conf"
exits "index of a path with sites only exits with 2" 2 tarsier index --config="$TEST_TMP/sites.conf" "$HOME"
like "index of a path with sites only says that it is not watched" "$(cat "$TEST_TMP/err")" 'not in a watched directory'

for words in "show $HOME/x" "extract $HOME/x" check tui help "help query" "completion bash"; do
	exits "--json is an error with $words" 2 tarsier --json $words
	is "--json with $words prints nothing" "$(cat "$TEST_TMP/out")" ""
	like "--json with $words says what prints JSON" "$(cat "$TEST_TMP/err")" '^tarsier: [a-z]* prints no JSON; "tarsier help output" tells what does$'
done
like "OUTPUT says so" "$(cat "$abs_top_srcdir/docs/OUTPUT.md")" '^`--json` is an error with `show`, `extract`, `check`, `tui`, `browse`, `mount`, `help` and$'

verbs=$(tarsier help | sed -n '/^Verbs:/,/^$/p' | awk 'NR > 1 && NF { print $1 }')
is "help lists every verb" "$(echo $verbs)" \
	"search saved watch similar dups list show open info status failed retry add remove roots index pause resume extract formats check compact config doctor tui browse mount mcp export web completion help"
for verb in $verbs; do
	exits "help $verb exits with 0" 0 tarsier help "$verb"
	like "help $verb shows the usage of the verb" "$(cat "$TEST_TMP/out")" "^Usage: tarsier $verb "
	exits "$verb --help exits with 0" 0 tarsier "$verb" --help
	ok "the man page describes $verb" grep -q "^\.It Cm $verb\b" "$man"
	missing=
	for option in $(tarsier help "$verb" | grep -o '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*' | sort -u); do
		grep -q "Fl -${option#--}\b" "$man" || missing="$missing $option"
	done
	is "the man page describes every option of $verb" "$missing" ""
done

# ---- misspelt verbs and options
said() { # said NAME STATUS TEXT ARGUMENTS: the command exits with STATUS, and stderr has TEXT
	_name=$1 _status=$2 _text=$3; shift 3
	exits "$_name: status $_status" "$_status" tarsier "$@"
	ok "$_name: the message says so" grep -qF -- "$_text" "$TEST_TMP/err"
}
silent() { # silent NAME ARGUMENTS: no hint is given
	_name=$1; shift
	tarsier "$@" >"$TEST_TMP/out" 2>"$TEST_TMP/err"
	not_ok "$_name" 1 grep -q 'no verb\|did you mean' "$TEST_TMP/err"
}
said "two letters are missing or swapped" 3 'write: tarsier status' staus
said "the beginning of one verb" 3 'write: tarsier config' conf
said "capitals" 3 '"Status" is not a verb, so it was read as a search' Status
said "a verb with its arguments" 3 'write: tarsier search foo bar' serach foo bar
said "arguments are quoted for the shell" 3 "write: tarsier info 'my file' 'a\$b'" inof 'my file' 'a$b'
said "arguments that are missing are named" 3 'write: tarsier show FILE|ID' shwo
said "a verb with an option of its own" 3 'write: tarsier show --page 3 x' shwo --page 3 x
said "an option that the search lacks" 2 'unknown option --follow' --follow staus
silent "a verb that was written is right" search staus
silent "a word behind -- is not a verb" -- staus
silent "a pattern behind -- is not a verb" -- helo~
said "a verb before --" 3 'write: tarsier info x' inof -- x
silent "a word far from all verbs" kitchen
silent "two mistakes before other words" sttas of things
silent "more words than the verb takes" lists of things
silent "a word that is longer than any verb" "$(printf '%2000s' x | tr ' ' a)"
silent "bytes that are not text" "$(printf 'stat\377us')"
said "an option of a verb" 2 'unknown option --jsn (did you mean --json?)' list --jsn
said "an option before the query" 2 'unknown option --lmit (did you mean --limit?)' --lmit 3 invoice
said "an option behind the query" 3 '"--lmit" is not an option, so it was read as part of the query; did you mean --limit?' invoice --lmit 3
said "a misspelt value behind the query" 2 'not "nmae" (did you mean name?)' invoice -s nmae
said "a value far from all" 2 'must be one of relevance|date|size|name|path, not "elephants"' invoice -s elephants
for value in zwei -3 3x ''; do
	said "no number where one is needed, behind the query: $value" 2 "--limit needs a number, not \"$value\"" invoice -n "$value"
	said "and before it: $value" 2 "--limit needs a number, not \"$value\"" -n "$value" invoice
done
said "how to search for it" 2 'write "--" before them' grep -n invoice
said "a value of a letter that takes none" 2 '--paths takes no value' -l=3 invoice
said "so too behind other letters" 2 '--paths takes no value' search -al=3 invoice
said "an option whose value is missing" 2 '--sort needs a value: relevance|date|size|name|path' invoice -s
said "an option is text behind --" 3 'there is no index yet' -- grep -n invoice
said "an option with a value" 2 'did you mean --sort?' search --srot=date x
said "an option far from all" 2 'unknown option --nonsense;' list --nonsense
said "help for a misspelt verb" 2 'did you mean "tarsier help status"?' help staus

said "words that a verb cannot take, with an option of search" 3 'open takes fewer words' open source licence -n 2
said "words that a verb cannot take, with an option of search before them" 3 'list takes fewer words' list -n 2 things to do
mkdir -p "$HOME/one" "$HOME/two"
said "paths that a verb cannot take" 2 'is one argument too many; see "tarsier help list"' list "$HOME/one" "$HOME/two"
said "a path that is missing" 2 'is one argument too many' list /nowhere /else
cd "$HOME"
said "names of files that a verb cannot take" 2 '"two" is one argument too many' list one two
not_ok "they are not words to search for" 1 grep -q 'tarsier search' "$TEST_TMP/err"
said "a name of a file before words" 2 'write: tarsier search -- list one of us' list one of us
said "words with a slash" 3 'open takes fewer words' open TCP/IP stack
said "words" 3 'list takes fewer words' list three four
for words in "10 minutes" "10 Minuten" "1 hour" "2 Stunden" "30 sec" "1 Tag" "10 MIN"; do
	said "a duration in two words: $words" 3 'tarsierd is not running' pause $words
done
said "a duration in one word with a blank" 3 'tarsierd is not running' pause '10 minutes'
said "words that are not a duration" 3 'pause takes fewer words' pause the music now
exits "formats of a name" 0 tarsier formats pdf
like "formats lists what has the name" "$(cat "$TEST_TMP/out")" '^pdf '
is "formats lists nothing else" "$(grep -c '^html ' "$TEST_TMP/out")" 0
like "formats knows types" "$(tarsier formats --json Text/HTML)" '^{"name":"html"'
said "a name that no format has" 1 'is not part of an extractor' formats elephants
said "formats and words" 3 'formats takes fewer words' formats of files
said "a misspelt option of a verb with too many words" 2 'unknown option --jsn (did you mean --json?)' list things --jsn

# ---- options that have no effect
said "show --all" 2 'tarsier: --all has an effect only with --plain' show --all x
said "extract --all" 2 '--all has an effect only with --plain' extract --all x
said "show in two forms" 2 '--plain cannot be combined with --xml' show --plain --xml x
said "a page of the metadata" 2 '--page cannot be combined with --meta' show --page 1 --meta x
said "status that goes on and ends" 2 '--follow cannot be combined with --check' status --follow --check
said "config get --origin" 2 '--origin has an effect only with list' config get --origin limits.file
exits "config alone lists, with --origin" 0 tarsier config --origin
said "web with the option of another task" 2 '--robots has an effect only with allowed' web feed --robots x y
said "web with that of two others" 2 '--base has an effect only with canonical|feed' web sitemap --base http://a/ x
said "dups with rules and exact" 2 '--rules cannot be combined with --exact' dups --rules --exact
said "export that forgets and sends" 2 '--forget cannot be combined with --to' export --forget x --to -
said "export that forgets two" 2 'no other argument' export --forget x y
said "export of credentials to a pipe" 2 'is for a target' export --to - --credentials x
said "export that prints and is quiet" 2 '"--to -" prints the documents' export -q --to -
is "config path is quiet too" "$(tarsier config path -q)" ""
is "config path has JSON" "$(tarsier --config=/a/b config path --json)" '{"path":"/a/b","path_b64":null}'

# ---- directories that are not usual
for dir in /proc /proc/self /sys /dev; do
	said "add of $dir" 2 'is made by the kernel and holds no documents' add "$dir"
done
said "nothing was added" 1 'No directory is watched' roots
said "add of the whole system" 0 'This is the whole system' --config="$TEST_TMP/all.conf" add /
is "it was added" "$(tarsier --config="$TEST_TMP/all.conf" roots)" /
said "removing it" 0 '/ is no longer watched' --config="$TEST_TMP/all.conf" remove /

# ---- a current directory that was removed: "." is not "/", which is what getcwd(3) leaves to GLib
gone() { # gone WORD...: tarsier in a directory that was removed
	mkdir -p "$HOME/gone" && cd "$HOME/gone" && rmdir "$HOME/gone" && tarsier "$@"
	code=$?; cd "$HOME"; return $code
}
exits "add . exits with 2 where the directory was removed" 2 gone add .
like "the message names the removed directory" "$(cat "$TEST_TMP/err")" "$HOME/gone (deleted)"
exits "a relative index is not looked for in /" 3 gone --index=etc word
exits "no directory was added" 1 tarsier roots

exits "a reader that goes away is not a fault that is told" 0 sh -c 'tarsier help | :; tarsier help query 2>&1 | head -n 1; tarsier help web | head -n 1'
is "nothing is said to a reader that went away" "$(cat "$TEST_TMP/err")" ""
exits "open 1 without a last search exits with 3" 3 tarsier open 1
exits "open of a missing file exits with 1" 1 tarsier open "$HOME/missing"
exits "output to a full disk exits with 5" 5 sh -c 'tarsier help >/dev/full'
like "the message says that no space is left on the disk" "$(cat "$TEST_TMP/err")" 'No space left'
exits "much output to a full disk exits with 5" 5 sh -c 'tarsier formats >/dev/full'
not_ok "the message for a failed write does not say Success" 1 grep -q Success "$TEST_TMP/err"
for verb in add remove list open info show similar index failed dups; do
	exits "$verb takes no empty argument for the current directory" 2 tarsier "$verb" ""
	like "which its message says" "$(cat "$TEST_TMP/err")" 'is empty'
done
exits "a closed stdout exits with 5" 5 sh -c 'tarsier help >&-'
done_testing

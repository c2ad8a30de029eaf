# SPDX-License-Identifier: GPL-3.0-or-later
# add, remove, roots and config work without a daemon.
. "$abs_top_srcdir/tests/lib.sh"
mkdir -p "$HOME/one" "$HOME/two words"
conf=$HOME/.config/tarsier/tarsier.conf

exits "roots exits with 1 if there are none" 1 tarsier roots
exits "a misspelt key exits with 2" 2 tarsier config set limit.file 3M
like "the message names the key that was meant" "$(cat "$TEST_TMP/err")" 'did you mean "limits.file"?'
exits "so does get" 2 tarsier config get limits.fiel
like "it names it, too" "$(cat "$TEST_TMP/err")" 'did you mean "limits.file"?'
exits "add of a directory exits with 0" 0 tarsier add "$HOME/one"
like "add names tarsier index as the next step" "$(cat "$TEST_TMP/err")" 'tarsier index'
exits "add -q of a second directory exits with 0" 0 tarsier -q add "$HOME/two words"
is "add -q prints nothing" "$(cat "$TEST_TMP/err")" ""
is "roots prints bare paths in a pipe" "$(tarsier roots)" "$HOME/one
$HOME/two words"
is "roots -0 ends each path with NUL" \
	"$(tarsier roots -0 | tr '\0' '|')" "$HOME/one|$HOME/two words|"
is "roots --json prints the path of a root" \
	"$(tarsier roots --json | head -n 1)" "{\"path\":\"$HOME/one\",\"path_b64\":null}"
exits "add of a root that is already there exits with 0" 0 tarsier add "$HOME/one"
is "add of a root that is already there does not repeat it" "$(tarsier roots | wc -l)" 2
exits "add of a file exits with 2" 2 tarsier add "$conf"
exits "add of a missing directory exits with 2" 2 tarsier add "$HOME/missing"
is "the configuration file is readable by its owner alone" "$(stat -c %a "$conf")" 600
exits "remove of a root exits with 0" 0 tarsier remove "$HOME/one"
is "remove keeps the other roots" "$(tarsier roots)" "$HOME/two words"
exits "remove of a directory that is not a root exits with 2" 2 tarsier remove "$HOME/one"
like "remove of a directory that is not a root lists the roots" "$(cat "$TEST_TMP/err")" "two words"
mkdir -p "$HOME/two words/within"
exits "remove of a directory within a root exits with 2" 2 tarsier remove "$HOME/two words/within"
like "it tells how to keep that out of the index" "$(cat "$TEST_TMP/err")" "it lies in $HOME/two words; an empty file .noindex"
tarsier config set index.markers nomedia
exits "it still exits with 2 without that marker" 2 tarsier remove "$HOME/two words/within"
is "and does not tell so" "$(grep -c noindex "$TEST_TMP/err")" 0
tarsier config set index.markers
exits "remove without arguments exits with 2" 2 tarsier remove
exits "add without arguments exits with 0" 0 tarsier add
like "add without arguments says that it adds the home directory" \
	"$(cat "$TEST_TMP/err")" "home directory, $HOME"

is "config get prints a preset" "$(tarsier config get limits.depth)" 5
exits "config set exits with 0" 0 tarsier config set limits.depth 3
is "config get prints the value that was set" "$(tarsier config get limits.depth)" 3
like "config list --origin prints file and line of a value" \
	"$(tarsier config list --origin | grep '^limits.depth=')" "tarsier.conf:[0-9]"
like "config list --origin says that a preset is built in" \
	"$(tarsier config list --origin | grep '^limits.ratio=')" "built in"
is "config get --json prints key, value and origin" \
	"$(tarsier config get limits.ratio --json)" '{"key":"limits.ratio","value":"200","origin":"built in"}'
exits "config set without a value exits with 0" 0 tarsier config set limits.depth
is "config set without a value restores the preset" "$(tarsier config get limits.depth)" 5
tarsier config set "dir:$HOME/notes.hidden" .plan
is "config get takes ~/ in the path of a section" "$(tarsier config get 'dir:~/notes.hidden')" .plan
tarsier config set 'dir:~/notes.hidden'
is "and so does config set" "$(tarsier config get "dir:$HOME/notes.hidden")" ""
exits "config get refuses a relative path" 2 tarsier config get dir:notes.hidden
exits "config set refuses a malformed value" 2 tarsier config set limits.depth deep
before=$(cat "$conf")
exits "config set refuses a relative path of a root" 2 tarsier config set index.roots "$HOME;notes"
like "it says which" "$(cat "$TEST_TMP/err")" '"notes" must begin with / or ~/'
is "the configuration stays as it was" "$(cat "$conf")" "$before"
exits "config get of an unknown key exits with 2" 2 tarsier config get limits.nonsense
exits "config get of a section exits with 2" 2 tarsier config get limits
exits "an unknown subcommand of config exits with 2" 2 tarsier config frobnicate
is "config path prints the path of the configuration file" "$(tarsier config path)" "$conf"
exits "config check of a sound file exits with 0" 0 tarsier config check
printf '\n[limits]\ndepth=deep\n' >>"$conf"
exits "config check of a file with a malformed value exits with 2" 2 tarsier config check
like "config check names the file and line of the malformed value" \
	"$(cat "$TEST_TMP/err")" "tarsier.conf:[0-9]"
printf '[limits]\ndepth=deep\nno-such-key=1\nmemory=much\n[index]\nroots=here;/tmp\n' >"$TEST_TMP/faults.conf"
tarsier --config "$TEST_TMP/faults.conf" config check 2>"$TEST_TMP/err"
is "config check names the lines of all faults and warnings" \
	"$(sed -n 's/.*faults.conf:\([0-9]*\):.*/\1/p' "$TEST_TMP/err" | sort | tr '\n' ' ')" "2 3 4 6 "
printf 'early=1\n[limits]\ndepth\n[dir:/x\nhidden=.a\n[limits]\nmemory=much\n' >"$TEST_TMP/faults.conf"
tarsier --config "$TEST_TMP/faults.conf" config check 2>"$TEST_TMP/err"
is "and those of lines that are no setting" \
	"$(sed -n 's/.*faults.conf:\([0-9]*\):.*/\1/p' "$TEST_TMP/err" | sort | tr '\n' ' ')" "1 3 4 7 "
exits "--config refuses a file that does not exist" 2 tarsier --config "$TEST_TMP/other.conf" config check
is "it names the file and the reason" "$(cat "$TEST_TMP/err")" "tarsier: --config: $TEST_TMP/other.conf: No such file or directory"
for verb in search roots index status 'saved list' 'config list' "remove $HOME"; do
	# shellcheck disable=SC2086 # words
	exits "so does $verb" 2 tarsier --config "$TEST_TMP/other.conf" $verb
	like "with the same reason" "$(cat "$TEST_TMP/err")" 'other.conf: No such file'
done
exits "config path names a file that is not there yet" 0 tarsier --config "$TEST_TMP/other.conf" config path
exits "config set creates it" 0 tarsier --config "$TEST_TMP/other.conf" config set limits.depth 3
exits "--config reads another file" 0 tarsier --config "$TEST_TMP/other.conf" config check
cp "$TEST_TMP/other.conf" "$TEST_TMP/before.conf"
tarsier --config "$TEST_TMP/other.conf" config set search.limit 7
tarsier --config "$TEST_TMP/other.conf" config set search.limit
ok "config set without a value leaves no empty section" cmp "$TEST_TMP/before.conf" "$TEST_TMP/other.conf"
printf '[search]\n# why\nlimit = 7\n' >"$TEST_TMP/told.conf"; chmod 600 "$TEST_TMP/told.conf"
tarsier --config "$TEST_TMP/told.conf" config set search.limit
is "but a section with a comment" "$(cat "$TEST_TMP/told.conf")" "[search]
# why"
exits "add creates it, too" 0 tarsier --config "$TEST_TMP/third.conf" add "$HOME"
is "TARSIER_CONFIG names another file" \
	"$(TARSIER_CONFIG=$TEST_TMP/x.conf tarsier config path)" "$TEST_TMP/x.conf"
done_testing

# SPDX-License-Identifier: GPL-3.0-or-later
# The daemon obeys an edited configuration at once, and reports a malformed one without obeying it.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs e=$HOME/more; mkdir -p "$d" "$e"
echo pelican >"$d/a.txt"; echo heron >"$e/b.txt"
start_daemon # there is no configuration, nor a directory for it
file=$HOME/.config/tarsier/tarsier.conf
mkdir -p "${file%/*}"
write() { printf "$@" >"$file.new"; mv "$file.new" "$file"; }

write '[index]\nroots=%s;\n' "$d"
ok "status --wait takes a new configuration file into account" synced
is "the root of a new configuration file is searchable" "$(tarsier pelican)" "$d/a.txt"
printf '[index]\nroots=%s;%s;\n' "$d" "$e" >"$file"
ok "status --wait takes a file rewritten in place into account" synced
is "the root of a configuration rewritten in place is searchable" "$(tarsier heron)" "$e/b.txt"
before=$(tarsier status --json | grep -o '"extractions":[0-9]*')

printf '[limits]\nfile=banana\n' >>"$file"
like "status names file, line and value of a malformed setting" \
	"$(tarsier status)" 'tarsier.conf:4: limits.file: "banana"'
exits "status --check exits with 5 while a setting is malformed" 5 tarsier status --check
exits "status --wait --check waits, then checks" 5 tarsier status --wait=60 --check
like "so it prints the problem" "$(cat "$TEST_TMP/out")" 'limits.file: "banana"'
exits "status --check --json has the exit status of the check" 5 tarsier status --check --json
ok "status --check --json prints the object alone" sh -c "python3 -m json.tool <'$TEST_TMP/out' >'$TEST_TMP/pretty'"
is "status tells a malformed setting once" "$(tarsier status | grep -c banana)" 1
like "doctor says that the daemon keeps its configuration" "$(tarsier doctor)" '!!  configuration: tarsierd keeps an older one: '
is "a malformed setting leaves the old configuration in force" \
	"$(tarsier heron pelican OR heron)" "$e/b.txt"
write '[index]\nroots=%s;%s;\nnonsense=1\nrubbish=1\n' "$d" "$e"
ok "status --wait succeeds with an unknown key" synced
exits "status --check exits with 0 with an unknown key" 0 tarsier status --check
is "doctor has a line for each unknown key" "$(tarsier doctor | grep -c '^!!  configuration: .*unknown key')" 2

# as an editor saves that keeps a copy of the old file
mv "$file" "$file~"
let_time_pass 0.5 "the daemon sees the gap between the old file and the new"
cp "$file~" "$file"
ok "status --wait succeeds after the configuration was away for a moment" synced
is "no file is converted again after the configuration was away for a moment" \
	"$(tarsier status --json | grep -o '"extractions":[0-9]*')" "$before"

mkdir "$file.d"; printf '[index]\nroots=%s;\n' "$d" >"$file.d/50-less.conf"
ok "status --wait takes a new drop-in into account" synced
exits "a drop-in that removes a root purges its entries" 1 tarsier heron
rm "$file.d/50-less.conf"
ok "status --wait takes a removed drop-in into account" synced
is "a removed drop-in makes the root searchable again" "$(tarsier heron)" "$e/b.txt"
rm "$file"
ok "a configuration that stays away purges all entries" wait_until "nothing is found" ends_with 1 tarsier -q pelican
exits "pause exits with 0 after the configuration is gone" 0 tarsier pause
like "status --check prints no reason but the pause" "$(tarsier status --check)" '^paused$'
ok "the daemon stops with status 0" stop_daemon
done_testing

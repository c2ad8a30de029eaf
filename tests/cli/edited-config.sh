# SPDX-License-Identifier: GPL-3.0-or-later
# A configuration that is edited by hand is in force at once; a wrong one is told and changes nothing.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs e=$HOME/more; mkdir -p "$d" "$e"
echo pelican >"$d/a.txt"; echo heron >"$e/b.txt"
start_daemon # there is no configuration, nor a directory for it
file=$HOME/.config/tarsier/tarsier.conf
mkdir -p "${file%/*}"
write() { printf "$@" >"$file.new"; mv "$file.new" "$file"; }

write '[index]\nroots=%s;\n' "$d"
ok "is seen by who waits" synced
is "a file that appears" "$(tarsier pelican)" "$d/a.txt"
printf '[index]\nroots=%s;%s;\n' "$d" "$e" >"$file"
ok "is seen by who waits" synced
is "one written in place" "$(tarsier heron)" "$e/b.txt"
before=$(tarsier status --json | grep -o '"extractions":[0-9]*')

printf '[limits]\nfile=banana\n' >>"$file"
like "a wrong value is told" "$(tarsier status)" 'tarsier.conf:4: limits.file: "banana"'
exits "as a problem" 5 tarsier status --check
is "and the old configuration stays" "$(tarsier heron pelican OR heron)" "$e/b.txt"
write '[index]\nroots=%s;%s;\nnonsense=1\n' "$d" "$e"
ok "an unknown key is none" synced
exits "all is well again" 0 tarsier status --check

# as an editor saves that keeps a copy of the old file
mv "$file" "$file~"; sleep 0.5; cp "$file~" "$file"
ok "a file that was away for a moment" synced
is "takes nothing away" "$(tarsier status --json | grep -o '"extractions":[0-9]*')" "$before"

mkdir "$file.d"; printf '[index]\nroots=%s;\n' "$d" >"$file.d/50-less.conf"
ok "synced" synced
exits "a drop-in purges at once" 1 tarsier heron
rm "$file.d/50-less.conf"
ok "synced" synced
is "until it is removed" "$(tarsier heron)" "$e/b.txt"
rm "$file"
ok "a file that is gone for long is meant so" eventually sh -c '! tarsier -q pelican'
exits "pause" 0 tarsier pause
like "has no reason but itself" "$(tarsier status --check)" '^paused$'
ok "the daemon ends" stop_daemon
done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# inside.sh: runs as root in the booted system; does what an ordinary user does and prints TAP.
boot=$(cat /service-test/boot)
exec >"/service-test/$boot.tap" 2>&1
PATH=/usr/local/bin:/usr/bin:/bin
ldconfig

as_user() { su - user -c "export XDG_RUNTIME_DIR=/run/user/1000 PATH=$PATH; $*"; }
ok() {
	name=$1; shift
	if as_user "$*" >/tmp/out 2>&1; then echo "ok - $boot boot: $name"; else
		echo "not ok - $boot boot: $name"; sed 's/^/#   /' /tmp/out | head -n 20
		as_user "systemctl --user --no-pager status tarsierd; journalctl --user -u tarsierd --no-pager -n 20" 2>&1 | sed 's/^/#   /'
	fi
}
found() { echo "tarsier status --wait=30 -q; tarsier search -l $1 | grep -qx $2"; }

for _ in $(seq 100); do [ -S /run/user/1000/bus ] && break; sleep 0.1; done
case $boot in
first)
	ok "a directory is added" "mkdir -p ~/Documents; tarsier add ~/Documents"
	ok "the service is enabled and starts" "systemctl --user daemon-reload; systemctl --user enable --now tarsierd && systemctl --user is-active tarsierd"
	ok "it runs in background.slice" "systemctl --user show -p Slice tarsierd | grep -qx Slice=background.slice"
	ok "a dropped file is found" "echo the quick tarsier leaps at dusk > ~/Documents/dropped.txt; $(found dusk /home/user/Documents/dropped.txt)"
	ok "the jail is whole" "tarsier status --json | grep -q '\"sandbox\":\"full\"'"
	ok "the index is private" "! find ~/.local/share/tarsier -perm /077 | grep ."
	ok "stopping takes less than two seconds" "timeout 2 systemctl --user stop tarsierd"
	ok "searching works while it is stopped" "tarsier search -l dusk | grep -q dropped.txt"
	ok "what changes meanwhile is found after a start" "echo marmoset > ~/Documents/later.txt; systemctl --user start tarsierd; $(found marmoset /home/user/Documents/later.txt)"
	ok "a deleted file is gone" "rm ~/Documents/later.txt; tarsier status --wait=30 -q; ! tarsier search -l marmoset"
	;;
second)
	ok "the service is running after a restart" "for i in \$(seq 100); do systemctl --user is-active -q tarsierd && exit 0; sleep 0.1; done; exit 1"
	ok "the file is still found" "$(found dusk /home/user/Documents/dropped.txt)"
	ok "it was not converted again" "tarsier status --json | grep -q '\"extractions\":0[,}]'"
	ok "a new file is found" "echo galago in the night > ~/Documents/new.txt; $(found galago /home/user/Documents/new.txt)"
	;;
esac

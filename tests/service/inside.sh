#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# inside.sh: runs as root in the booted system; does what an ordinary user does and prints TAP.
boot=$(cat /service-test/boot)
exec >"/service-test/$boot.tap" 2>&1
PATH=/usr/local/bin:/usr/bin:/bin

as_user() { su - user -c "export XDG_RUNTIME_DIR=/run/user/1000 PATH=$PATH; $*"; }
ok() { # ok NAME COMMAND: the user runs the command, and it succeeds
	name=$1; shift
	if as_user "$*" >/tmp/out 2>&1; then echo "ok - $boot boot: $name"; else
		echo "not ok - $boot boot: $name"; sed 's/^/#   /' /tmp/out | head -n 20
		as_user "systemctl --user --no-pager status tarsierd; journalctl --user -u tarsierd --no-pager -n 20" 2>&1 | sed 's/^/#   /'
	fi
}
found() { echo "tarsier status --wait=30 -q; tarsier search -l $1 | grep -qx $2"; }
until_ok() { echo "for i in \$(seq 200); do $* && exit 0; sleep 0.1; done; exit 1"; }
calm() { # nothing failed, and nobody complained
	ok "no unit has failed" "! systemctl --user --failed --no-legend --plain | grep . && ! systemctl --failed --no-legend --plain | grep ."
	ok "nothing complains in the journal" "! journalctl --user -b -q -p warning --no-pager | grep ."
}

for _ in $(seq 100); do [ -S /run/user/1000/bus ] && break; sleep 0.1; done
case $boot in
first)
	ok "a directory is added" "mkdir -p ~/Documents; tarsier add ~/Documents"
	ok "the service is enabled and starts" "systemctl --user enable --now tarsierd && systemctl --user is-active tarsierd"
	ok "the unit has no mistake" "! systemd-analyze --user verify --man=no tarsierd.service 2>&1 | grep ."
	ok "it runs in background.slice" "systemctl --user show -p ControlGroup tarsierd | grep -q /background.slice/tarsierd.service"
	pid='$(systemctl --user show -P MainPID tarsierd)'
	ok "system calls are filtered" "grep -qx 'Seccomp:.2' /proc/$pid/status"
	ok "no new privileges" "grep -qx 'NoNewPrivs:.1' /proc/$pid/status"
	ok "no core dumps" "grep -q '^Max core file size  *0  *0 ' /proc/$pid/limits"
	ok "memory is limited" "f=/sys/fs/cgroup\$(sed -n 's/^0:://p' /proc/$pid/cgroup)/memory.max; [ ! -e \$f ] || [ \$(cat \$f) = 2147483648 ]"
	ok "a dropped file is found" "echo the quick tarsier leaps at dusk > ~/Documents/dropped.txt; $(found dusk /home/user/Documents/dropped.txt)"
	ok "the sandbox is whole" "tarsier status --json | grep -q '\"sandbox\":\"full\"'"
	ok "the doctor is content" "tarsier doctor"
	ok "the index is private" "! find ~/.local/share/tarsier -perm /077 | grep ."
	ok "stopping takes less than two seconds" "timeout 2 systemctl --user stop tarsierd"
	ok "searching works while it is stopped" "tarsier search -l dusk | grep -q dropped.txt"
	ok "what changes meanwhile is found after a start" "echo marmoset > ~/Documents/later.txt; systemctl --user start tarsierd; $(found marmoset /home/user/Documents/later.txt)"
	ok "a deleted file is gone" "rm ~/Documents/later.txt; tarsier status --wait=30 -q; ! tarsier search -l marmoset"
	ok "reload takes an edited configuration" "mkdir ~/Notes; echo loris > ~/Notes/n.txt
		sed -i 's|^roots.*|&;~/Notes|' ~/.config/tarsier/tarsier.conf; systemctl --user reload tarsierd
		$(until_ok tarsier search -l loris)"
	calm
	ok "it is started again when it dies" "systemctl --user kill -s KILL tarsierd
		$(until_ok "systemctl --user show -P NRestarts tarsierd | grep -qx 1 && systemctl --user is-active -q tarsierd")"
	ok "and knows the file" "$(found dusk /home/user/Documents/dropped.txt)"
	;;
second)
	ok "the service is running after a restart" "$(until_ok systemctl --user is-active -q tarsierd)"
	ok "the file is still found" "$(found dusk /home/user/Documents/dropped.txt)"
	ok "it was not converted again" "tarsier status --json | grep -q '\"extractions\":0[,}]'"
	ok "a new file is found" "echo galago in the night > ~/Documents/new.txt; $(found galago /home/user/Documents/new.txt)"
	calm
	;;
esac
echo "# the end"

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
wait_until() { # wait_until WHAT COMMAND: prints a script that succeeds as soon as the command does, within 20 s
	echo "for i in \$(seq 200); do $2 && exit 0; sleep 0.1; done; echo 'waited 20 s in vain until $1'; exit 1"
}
in_unit() { # in_unit COMMAND: prints a script that runs it with the limits of the service's unit
	echo "{ sed -nE 's/^(NoNew|System|Restrict|Lock|MemoryDeny|Tasks|UMask).*/-p \"&\"/p' \
		/usr/local/lib/systemd/user/tarsierd.service; echo $*; } | xargs systemd-run --user --wait --pipe -q"
}
calm() { # nothing failed, and nobody complained
	ok "no unit has failed" \
		"! systemctl --user --failed --no-legend --plain | grep . && ! systemctl --failed --no-legend --plain | grep ."
	ok "the journal has no warning" "! journalctl --user -b -q -p warning --no-pager | grep ."
}

sh -c "$(wait_until "the user has a bus" "[ -S /run/user/1000/bus ]")"
case $boot in
first)
	ok "tarsier add takes a directory" "mkdir -p ~/Documents; tarsier add ~/Documents"
	ok "the service is enabled and starts" \
		"systemctl --user enable --now tarsierd && systemctl --user is-active tarsierd"
	ok "systemd-analyze finds no fault in the unit" \
		"! systemd-analyze --user verify --man=no tarsierd.service 2>&1 | grep ."
	ok "the daemon runs in background.slice" \
		"systemctl --user show -p ControlGroup tarsierd | grep -q /background.slice/tarsierd.service"
	pid='$(systemctl --user show -P MainPID tarsierd)'
	ok "the daemon runs under a system call filter" "grep -qx 'Seccomp:.2' /proc/$pid/status"
	ok "the daemon cannot gain privileges" "grep -qx 'NoNewPrivs:.1' /proc/$pid/status"
	ok "the daemon dumps no core" "grep -q '^Max core file size  *0  *0 ' /proc/$pid/limits"
	ok "the memory of the daemon is limited to 2 GiB" \
		"f=/sys/fs/cgroup\$(sed -n 's/^0:://p' /proc/$pid/cgroup)/memory.max; [ ! -e \$f ] || [ \$(cat \$f) = 2147483648 ]"
	ok "a file copied into a root is found" \
		"echo the quick tarsier leaps at dusk > ~/Documents/dropped.txt; $(found dusk /home/user/Documents/dropped.txt)"
	ok "a root that is added while the service runs is read" \
		"mkdir -p ~/Later; echo a root that came at nightfall > ~/Later/added.txt; tarsier add ~/Later; $(found nightfall /home/user/Later/added.txt)"
	ok "status --json says that the sandbox is complete" \
		"tarsier status --json | grep -q '\"sandbox\":\"full\"'"
	ok "status --json says that the launcher of readers of later roots is confined" \
		"tarsier status --json | grep -q '\"roots_launcher\":\"full\"'"
	ok "status --json says that the launcher of tarsier-fetch is confined" \
		"tarsier status --json | grep -q '\"launcher\":\"full\"'"
	ok "tarsier-fetch runs in what the unit allows, and its sandbox holds" \
		"$(in_unit /usr/local/libexec/tarsier/tarsier-fetch --probe)"
	echo '(exec 3<>/dev/tcp/127.0.0.1/1) 2>&1 | grep "Connection refused"' >/tmp/connect
	ok "the unit allows connections, which tarsier-fetch makes" "$(in_unit bash /tmp/connect)"
	ok "doctor has nothing to say" "tarsier doctor"
	box="busctl --user call org.tarsier.Search /org/tarsier/Search org.gnome.Shell.SearchProvider2"
	ok "systemd-analyze finds no fault in the unit of the search boxes" \
		"! systemd-analyze --user verify --man=no tarsier-bus.service 2>&1 | grep ."
	ok "systemd finds no fault in the unit of an export" \
		"! systemd-analyze --user verify --man=no tarsier-export@team.service 2>&1 | grep ."
	ok "a search box is answered by a unit that D-Bus starts" \
		"$box GetInitialResultSet as 1 dusk | grep -q Documents/dropped.txt && systemctl --user is-active tarsier-bus"
	bus='$(systemctl --user show -P MainPID tarsier-bus)'
	ok "it runs under a system call filter" "grep -qx 'Seccomp:.2' /proc/$bus/status"
	printf '#!/bin/sh\n{ echo "$@"; cat /proc/self/cgroup; grep NoNewPrivs: /proc/self/status; } >~/opened.part; mv ~/opened.part ~/opened\n' \
		>/usr/local/bin/xdg-open
	chmod 755 /usr/local/bin/xdg-open
	ok "a hit of it is opened" "$box ActivateResult sasu /home/user/Documents/dropped.txt 1 dusk 0
		$(wait_until 'a viewer has run' '[ -e ~/opened ]')"
	ok "by a unit of its own, which is not confined like the service" \
		"grep -qx /home/user/Documents/dropped.txt ~/opened && grep -q app-tarsier-open ~/opened && grep -qx 'NoNewPrivs:.0' ~/opened"
	ok "it ends in peace" "systemctl --user stop tarsier-bus"
	ok "other users cannot read the index" "! find ~/.local/share/tarsier -perm /077 | grep ."
	ok "the service stops within two seconds" "timeout 2 systemctl --user stop tarsierd"
	ok "a search is answered while the service is stopped" \
		"tarsier search -l dusk | grep -q dropped.txt"
	ok "a file made while the service was stopped is found after its start" \
		"echo marmoset > ~/Documents/later.txt; systemctl --user start tarsierd; $(found marmoset /home/user/Documents/later.txt)"
	ok "a deleted file is not found" \
		"rm ~/Documents/later.txt; tarsier status --wait=30 -q; ! tarsier search -l marmoset"
	ok "a reload takes an edited configuration into account" \
		"mkdir ~/Notes; echo loris > ~/Notes/n.txt
		sed -i 's|^roots.*|&;~/Notes|' ~/.config/tarsier/tarsier.conf; systemctl --user reload tarsierd
		$(wait_until "the new root is searchable" "tarsier search -l loris")"
	calm
	ok "systemd restarts the daemon after it was killed" "systemctl --user kill -s KILL tarsierd
		$(wait_until "the service is active again" "systemctl --user show -P NRestarts tarsierd | grep -qx 1 && systemctl --user is-active -q tarsierd")"
	ok "the file is found after the restart of a killed daemon" \
		"$(found dusk /home/user/Documents/dropped.txt)"
	;;
second)
	ok "the service runs after a reboot" \
		"$(wait_until "the service is active" "systemctl --user is-active -q tarsierd")"
	ok "the file is found after a reboot" "$(found dusk /home/user/Documents/dropped.txt)"
	ok "no file is converted again after a reboot" \
		"tarsier status --json | grep -q '\"extractions\":0[,}]'"
	ok "a new file is found after a reboot" \
		"echo galago in the night > ~/Documents/new.txt; $(found galago /home/user/Documents/new.txt)"
	calm
	;;
esac
echo "# the end"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# inside.sh: runs as root in the booted system; installs, upgrades and removes the package as an administrator does,
# while one user has the service and another has not. Prints TAP.
cd /package-test || exit 1
exec >/package-test/tap 2>&1
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export DEBIAN_FRONTEND=noninteractive

ok() { # ok NAME COMMAND: the shell command succeeds
	name=$1; shift
	if (eval "$*") >/tmp/out 2>&1; then echo "ok - $name"; return; fi
	echo "not ok - $name"
	tail -n 20 /tmp/out | cut -c 1-300 | sed 's/^/#   /'
	as user "systemctl --user --no-pager status tarsierd; journalctl --user -u tarsierd --no-pager -n 20" 2>&1 | sed 's/^/#   /'
}
as() { # as USER COMMAND
	su - "$1" -c "export XDG_RUNTIME_DIR=/run/user/$(id -u "$1") LC_ALL=C.UTF-8; $2"
}
until_true() { # until_true COMMAND: succeeds as soon as the command does, within 60 s
	for _ in $(seq 600); do (eval "$1") && return; sleep 0.1; done
	echo "waited 60 s in vain: $1"
	return 1
}
# The user_version in the header of the index file.
index_version() { od -An -j60 -N4 -tu1 /home/user/.local/share/tarsier/index.db | awk '{ print $4 }'; }
daemon() { as user "systemctl --user show -P MainPID tarsierd"; }
quiet_other() { ! as other "systemctl --user is-active -q tarsierd || systemctl --user is-enabled -q tarsierd"; }
found() { as user "tarsier status --wait=60 -q; tarsier search -l dusk | grep -qx /home/user/Documents/note.txt"; }
apt() { apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@"; }

ok "the mirror answers" apt update
for user in user other; do
	useradd -m -s /bin/sh $user && loginctl enable-linger $user
	ok "$user has a bus" "until_true 'test -S /run/user/$(id -u $user)/bus'"
done

first=now
[ ! -e before ] || first=before
ok "apt installs the packages" "apt install ./$first/*.deb"
ok "the package enables no service" "quiet_other && ! systemctl --global is-enabled -q tarsierd"
ok "a user indexes a directory and enables the service" "as user 'mkdir Documents &&
	echo the quick tarsier leaps at dusk >Documents/note.txt && tarsier add ~/Documents &&
	systemctl --user enable --now tarsierd' && found"

if [ -e before ]; then
	as user "systemctl --user restart tarsierd"; found
	old_version=$(index_version) old_daemon=$(daemon)
	checksum=$(as user "tarsier list --json ~/Documents/note.txt")
	ok "apt upgrades the packages" "apt install ./now/*.deb"
	ok "the daemon of the user is the new one after the upgrade" \
		"until_true '[ \"\$(daemon)\" -gt 0 ] && [ \"\$(daemon)\" != $old_daemon ]'"
	ok "a document of before is found after the upgrade" found
	ok "it is not converted again" "as user 'tarsier status --json' | grep -q '\"extractions\":0[,}]'"
	ok "the index knows of it what it knew before" "[ '$checksum' = \"\$(as user 'tarsier list --json ~/Documents/note.txt')\" ]"
	as user "systemctl --user stop tarsierd"
	ok "the index has a newer version than $old_version" "[ '$old_version' -gt 0 ] && [ \$(index_version) -gt $old_version ]"
	ok "the index is whole after the upgrade" "as user 'tarsier check'"
	as user "systemctl --user start tarsierd"
	ok "the upgrade starts no daemon of another user" quiet_other
else
	echo "ok - apt upgrades the packages # SKIP there is no package before"
fi

ok "apt installs autopkgtest" "apt install autopkgtest"
ok "autopkgtest passes" "autopkgtest ./now/*.deb ./source/ -- null"

ok "apt removes the packages" "apt remove tarsier libtarsier0"
ok "no daemon runs after the removal" "! pgrep -x tarsierd"
# Packages without a script for the purge are gone already.
left=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' '*tarsier*' | sed -n 's/^rc *//p')
ok "purge asks nothing" "apt purge $left </dev/null"
ok "purge leaves the index of a user alone" "[ -s /home/user/.local/share/tarsier/index.db ]"
ok "nothing of the package is left" "! find / -xdev -path /home -prune -o -path /proc -prune -o -path /package-test -prune -o \
	-path /var/log -prune -o -path /var/cache -prune -o -path /tmp -prune -o -name '*tarsier*' -print | grep ."
ok "no unit has failed" "! systemctl --failed --no-legend --plain | grep ."
echo "# the end"

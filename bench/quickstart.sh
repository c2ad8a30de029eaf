#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# quickstart.sh DIR [COMMIT [ARGUMENT...]]: the CPU time from ./quickstart to the first hit on a fresh Debian, by steps.
#
# Makes a minimal Debian in DIR/base (debootstrap, once), copies it to DIR/root, unpacks COMMIT (default HEAD) there,
# runs quickstart in it as root, and prints a table. Downloads the packages each time. Needs root; nothing outside of
# DIR changes. CPU times count all children; the rest is configure, the index, the search, and the script itself.
set -eu
[ $# -ge 1 ] && [ "$(id -u)" -eq 0 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd) commit=${2:-HEAD}
[ $# -lt 2 ] || shift
shift
cd "$(dirname "$0")/.."
root=$dir/root

if [ ! -e "$dir/base/etc/debian_version" ]; then
	release=$(. /etc/os-release; echo "$VERSION_CODENAME")
	site=$(apt-get indextargets --format '$(SITE)|$(RELEASE)|$(CREATED_BY)' |
		awk -F'|' -v r="$release" '$2 == r && $3 == "Packages" { print $1; exit }')
	debootstrap --variant=minbase --include=ca-certificates,sudo "$release" "$dir/base" "$site" >&2
fi

rm -rf --one-file-system "$root"
cp -a "$dir/base" "$root"
cp /etc/resolv.conf "$root/etc/"
mkdir -p "$root/root/tarsier" "$root/opt/steps"
git archive "$commit" | tar -x -C "$root/root/tarsier"

# The steps are commands that quickstart finds in PATH; what a step starts is part of it.
for step in apt-get autoreconf make; do
	cat >"$root/opt/steps/$step" <<EOF
#!/bin/bash
export PATH=\${PATH#/opt/steps:}
TIMEFORMAT='$step %U %S'
exec 3>&2
{ time $step "\$@" 2>&3; } 2>>/opt/steps/times
EOF
	chmod +x "$root/opt/steps/$step"
done
cat >"$root/opt/steps/run" <<'EOF'
export PATH=/opt/steps:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
cd /root/tarsier
TIMEFORMAT='total %U %S'
exec 3>&2
{ time ./quickstart "$@" 2>&3; } 2>>/opt/steps/times
EOF
# The mounts go with their namespace.
unshare --mount --pid --fork sh -c 'root=$1; shift
	mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec chroot "$root" bash /opt/steps/run "$@"' sh "$root" "$@" >&2

awk '$1 != "total" { user[$1] += $2; sys[$1] += $3; rest_user -= $2; rest_sys -= $3 }
	$1 == "total" { rest_user += $2; rest_sys += $3; all_user = $2; all_sys = $3 }
	END { print "| step | user s | system s |\n|---|---:|---:|"
		for (step in user) printf "| %s | %.1f | %.1f |\n", step, user[step], sys[step]
		printf "| the rest | %.1f | %.1f |\n| together | %.1f | %.1f |\n", rest_user, rest_sys, all_user, all_sys }' \
	"$root/opt/steps/times"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# steps.sh - what quickstart and check share: a configured build directory, and steps that show they are alive

# Much of the time to build is libtool's, a script that takes twice as long in bash, which configure would choose.
[ ! -x /bin/dash ] || export CONFIG_SHELL=/bin/dash

# configured SOURCE DIR OPTIONS...: configures DIR unless it is done with these options; a build with others goes. SOURCE:
# absolute, or as seen from DIR
configured() {
	_source=$1 _dir=$2; shift 2
	mkdir -p "$_dir"
	[ "$(cat "$_dir/options" 2>/dev/null)" = "$*" ] && [ -e "$_dir/Makefile" ] && return 0
	[ ! -e "$_dir/Makefile" ] || make -s -C "$_dir" clean || return
	rm -f "$_dir/options"
	(cd "$_dir" && "$_source/configure" "$@") && echo "$*" >"$_dir/options"
}

# ticker NAME LOG: says, until it is killed, how long NAME has run: on a terminal in one line, each second, with what
# LOG says last; else in a line every ten seconds
ticker() {
	_seconds=0
	if [ -t 1 ]; then
		while sleep 1 >/dev/null 2>&1; do
			_seconds=$((_seconds + 1))
			_last=$(tail -c 400 "$2" | LC_ALL=C awk '/[^ ]/ { gsub(/[^ -~]/, " "); last = $0 } END { print last }')
			printf '\r\033[K%.78s' "   $_seconds s  $_last"
		done
	fi
	while sleep 10 >/dev/null 2>&1; do
		_seconds=$((_seconds + 10))
		printf '   %s: %s s\n' "$1" "$_seconds"
	done
}

# with_ticker NAME LOG COMMAND...: runs it with its messages in LOG, which it shows if the command fails
with_ticker() {
	_name=$1 _log=$2; shift 2
	_begin=$(date +%s)
	printf '== %s\n' "$_name"
	: >"$_log"
	ticker "$_name" "$_log" &
	_ticker=$!
	trap 'kill "$_ticker" 2>/dev/null' EXIT
	trap 'exit 130' INT TERM
	"$@" >>"$_log" 2>&1 </dev/null && _status=0 || _status=$?
	kill "$_ticker" 2>/dev/null
	wait "$_ticker" 2>/dev/null || :
	trap - EXIT INT TERM
	[ ! -t 1 ] || printf '\r\033[K'
	[ "$_status" -ne 0 ] || { echo "   done in $(($(date +%s) - _begin)) s"; return 0; }
	tail -n 40 "$_log" >&2
	printf '%s\n' "$_name failed; all messages are in $_log" >&2
	return "$_status"
}

# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh - the Debian packages that building and testing need; sourced by quickstart and check

# Packages that every build needs.
core_packages="build-essential autoconf automake libtool autopoint gettext pkg-config
libglib2.0-dev libncurses-dev libsqlite3-dev libxxhash-dev libunistring-dev zlib1g-dev libzstd-dev libseccomp-dev libmagic-dev
libarchive-dev libbrotli-dev libxml2-dev libgsf-1-dev nettle-dev libgmime-3.0-dev libuchardet-dev libstemmer-dev libpoppler-glib-dev libpoppler-cpp-dev poppler-data
libmd4c-dev"
# Libraries of single formats, of host names, of the network, of assistants and of the local page, which configure can do without.
format_packages="libicu-dev libjansson-dev libmicrohttpd-dev libfuse3-dev libpq-dev libcurl4-gnutls-dev libtag1-dev libmediainfo-dev libexiv2-dev libjpeg-dev libpng-dev libwebp-dev libgif-dev libmobi-dev libytnef0-dev libmspack-dev libtesseract-dev libpff-dev libbfio-dev
librevenge-dev libwpd-dev libwps-dev libmwaw-dev libstaroffice-dev libabw-dev libvisio-dev libmspub-dev libetonyek-dev"
# shellcheck disable=SC2034
build_packages="$core_packages $format_packages"

# python3 and zip make fixtures; git, rsync, e2fsprogs, btrfs-progs, exfatprogs, exfat-fuse, bindfs and archivemount drive workloads; debootstrap and systemd-container boot
# a small system for the service test; tmux is a terminal that can be read; nginx serves sites to the
# fetching program, with certificates of openssl; dbus and libglib2.0-bin ask the search boxes on a bus of their own; postgresql
# receives an export; fzf runs its recipe; fuse3 mounts searches; appstream and desktop-file-utils validate what desktops read; zsh and
# fish complete lines; ccache
# spares the second build of the same sources.
# shellcheck disable=SC2034
test_packages="python3 zip unzip xz-utils zstd git rsync sqlite3 procps strace mandoc shellcheck tmux tesseract-ocr
clang-format nginx-light openssl dbus libglib2.0-bin debootstrap systemd-container util-linux e2fsprogs btrfs-progs exfatprogs exfat-fuse bindfs archivemount postgresql fzf fuse3
appstream desktop-file-utils zsh fish ccache"

# missing_packages NAME...: prints the names of those that are not installed
missing_packages() {
	installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | tr '\n' ' ')
	for package; do
		case " $installed" in *" $package "*) ;; *) echo "$package" ;; esac
	done
}

# as_root COMMAND...: with sudo where not root; sudo asks for the password on the terminal
as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# may_install NAME...: can as_root install packages? sudo asks here for the password; a refusal is explained
may_install() {
	command -v apt-get >/dev/null || { echo "This is not Debian, and these are missing: $*" >&2; return 1; }
	[ "$(id -u)" -eq 0 ] && return 0
	# sudo -v may ask for a password even of a user who needs none for any command
	command -v sudo >/dev/null && { sudo -n true 2>/dev/null || sudo -v; } && return 0
	printf '%s\n' "Packages are missing, and you are neither root nor allowed to use sudo. Ask root to run" \
		"  apt-get install --no-install-recommends $*" "and start this again." >&2
	return 1
}

# fetch_packages NAME...: installs them, with apt's own messages
fetch_packages() {
	as_root apt-get -q update || return
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
		install --no-install-recommends "$@"
}

# install_packages NAME...: installs those that are missing; says little unless it fails
install_packages() {
	command -v dpkg-query >/dev/null || { echo "This is not Debian: install by hand: $*" >&2; return 0; }
	# shellcheck disable=SC2046
	set -- $(missing_packages "$@")
	[ $# -gt 0 ] || return 0
	may_install "$@" || return
	echo "Installing: $*"
	packages_log=$(mktemp) || return
	fetch_packages "$@" >"$packages_log" 2>&1 || {
		tail -n 20 "$packages_log" >&2
		echo "Installing packages failed; all messages are in $packages_log" >&2
		return 1
	}
	rm -f "$packages_log"
}

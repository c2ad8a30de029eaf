#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-layers.sh - which room may include which, and that no name is used twice
. "$abs_top_srcdir/tests/lib.sh"

# A room, on one line: the rooms whose headers it may include. A room includes its own headers too.
# A folder without a line of its own has that of its parent with "/*".
cat >"$TEST_TMP/rooms" <<'EOF'
common/base:
common/settings: common/base common/url
common/rules: common/base common/settings
common/ipc: common/base
common/sandbox: common/base common/ipc
common/warc: common/base
common/url: common/base
common/dust:
common/fetch: common/base common/ipc common/sandbox
index/text: common/base
index/store: common/base common/url index/text
index/query: common/base common/url index/text
index/write: common/base common/warc common/url index/text index/store index/fts index/meaning
index/read: common/base common/warc common/url index/text index/store
index/fts: common/base index/text index/read
index/meaning: common/base index/text index/store index/read index/fts
index/search: common/base common/url index/text index/store index/query index/read index/fts index/meaning
index/copies: common/base common/dust index/store index/read
extractors/charset: common/base
extractors/shared: common/base common/ipc extractors/charset
extractors/sniff: common/base extractors/charset extractors/shared
extractors/core: common/base common/ipc common/sandbox extractors/charset extractors/shared extractors/sniff
extractors/feed: extractors/shared extractors/html
extractors/text: common/base extractors/shared extractors/html
extractors/xml: common/base extractors/shared extractors/html
extractors/*: common/base extractors/charset extractors/shared extractors/sniff
fetch: common/base common/ipc common/sandbox
daemon/fs: common/base
daemon/watch: common/base daemon/fs
daemon/crawl: common/base common/rules index/write daemon/fs daemon/watch
daemon/ingest: common/base common/sandbox common/warc index/text index/write daemon/fs daemon/crawl
daemon/web: common/base common/settings common/ipc common/sandbox common/url common/dust common/fetch index/text index/store index/write daemon/watch daemon/ingest
daemon/engine: common/base common/settings common/rules common/sandbox index/write daemon/fs daemon/crawl daemon/ingest daemon/web
daemon/service: common/base common/settings common/ipc common/sandbox common/fetch index/store daemon/fs daemon/engine
daemon: common/base common/fetch index/store daemon/fs daemon/web daemon/service
ui-cli/print: common/base index/read index/search
ui-cli/app: common/base common/settings common/rules common/ipc common/sandbox common/url common/fetch index/text index/query index/read index/fts index/meaning index/search ui-cli/print
ui-cli/tui: common/base index/query index/search ui-cli/print ui-cli/app
ui-cli/cmd: common/base common/settings common/ipc common/url common/dust common/fetch index/store index/query index/read index/fts index/search index/copies ui-cli/print ui-cli/app ui-cli/tui ui-cli/cmd/mcp ui-cli/cmd/export
ui-cli/cmd/mcp: common/base index/query index/read index/search ui-cli/print ui-cli/app
ui-cli/cmd/export: common/base common/sandbox index/text index/store index/query index/read index/search ui-cli/print ui-cli/app
ui-cli: common/base index/read ui-cli/app ui-cli/cmd
ui-bus: common/base common/ipc index/read ui-cli/print ui-cli/app
ui-web: common/base index/read index/search ui-cli/print ui-cli/app
ui-fuse: common/base index/read ui-cli/app
library: common/base ui-cli/print ui-cli/app
EOF

sources() { # sources DIRECTORY: the product's files below it, relative to it
	(cd "$1" && find common index extractors fetch daemon ui-cli ui-bus ui-web ui-fuse library \( -name '*.[ch]' -o -name '*.cc' \) \
		! -name '*-sql.h' ! -name fold-table.h ! -name 'make-*.c' ! -path 'library/examples/*' 2>/dev/null | sort)
}

includes() { # includes DIRECTORY: "ROW ROOM FILE HEADER" of each include of another room
	sources "$1" | (cd "$1" && xargs grep -HE '^#include "[a-z-]+/' /dev/null) | awk '
		function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
		function parent(room) { return folder(room) "/*" }
		FILENAME == ARGV[1] { room = $1; sub(/:$/, "", room); known[room] = 1; next }
		{ file = $1; sub(/:#include$/, "", file); header = $2; gsub(/"/, "", header)
			from = folder(file); to = folder(header)
			if (from != to) print from in known ? from : parent(from), to, file, header }' \
		"$TEST_TMP/rooms" -
}

wrong_includes() { # wrong_includes DIRECTORY: "FILE HEADER" of each include that the table forbids
	includes "$1" | awk 'FILENAME == ARGV[1] { sub(/:$/, "", $1)
			for (i = 2; i <= NF; i++) may[$1, $i] = 1
			next }
		!(($1, $2) in may) { print $3, $4 }' "$TEST_TMP/rooms" -
}

unused_rooms() { # unused_rooms DIRECTORY: "ROW ROOM" of each include that the table allows in vain
	includes "$1" | awk 'FILENAME == "-" { used[$1, $2] = 1; next }
		{ sub(/:$/, "", $1)
			for (i = 2; i <= NF; i++) if (!(($1, $i) in used)) print $1, $i }' \
		- "$TEST_TMP/rooms"
}

circles() { # circles TABLE: rooms that a circle of the table keeps from being put in order
	awk '{ sub(/:$/, "", $1); rooms[$1] = 1; for (i = 2; i <= NF; i++) arrow[$1, $i] = 1 }
		END { do { moved = 0
				for (room in rooms) { free = 1
					for (other in rooms) if ((room, other) in arrow) free = 0
					if (free) { delete rooms[room]; moved = 1 } }
			} while (moved)
			for (room in rooms) print room }' "$1" | sort
}

repeated_functions() { # repeated_functions DIRECTORY: names of static functions in several files
	sources "$1" | (cd "$1" && xargs awk '
		/^static [^=(]*[ *][a-z_][A-Za-z0-9_]*\(/ { name = $0; sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			if (first[name] == "") first[name] = FILENAME
			else if (first[name] != FILENAME) print name, first[name], FILENAME }' /dev/null) | sort -u
}

repeated_sources() { # repeated_sources DIRECTORY
	sources "$1" | sed 's,.*/,,' | sort | uniq -d | grep -vx main.c
}

repeated_types() { # repeated_types DIRECTORY: names of types defined in several files
	sources "$1" | (cd "$1" && xargs awk '
		/^} [A-Z][A-Za-z0-9]*;/ || /^struct [A-Z][A-Za-z0-9]* {/ { note($2) }
		/^typedef (struct|enum|union) .*} [A-Z][A-Za-z0-9]*;/ { note($NF) }
		/^typedef .*\(\*[A-Z][A-Za-z0-9]*\)\(/ { sub(/^[^*]*\(\*/, ""); sub(/\).*/, ""); note($0) }
		function note(name) { sub(/;.*/, "", name)
			if (first[name] == "") first[name] = FILENAME
			else if (first[name] != FILENAME) print name, first[name], FILENAME }' /dev/null) | sort -u
}

cd "$abs_top_srcdir" || exit 99

is "each room has one line" "$(cut -d: -f1 "$TEST_TMP/rooms" | sort | uniq -d)" ""
is "each room includes only what its line allows" "$(wrong_includes .)" ""
is "each room needs what its line allows" "$(unused_rooms .)" ""
is "rooms do not include each other in a circle" "$(circles "$TEST_TMP/rooms")" ""
is "no static function name is in two files" "$(repeated_functions .)" ""
is "no two sources have the same name" "$(repeated_sources .)" ""
is "no two files define types of the same name" "$(repeated_types .)" ""

# The checks themselves, on a tree that breaks each rule once.
bad=$TEST_TMP/bad
mkdir -p "$bad/common/base" "$bad/index/text" "$bad/index/store" "$bad/extractors/pdf"
printf '#include "index/store/db.h"\nstatic int fold(void)\n{\n}\n' >"$bad/index/text/stem.c"
printf 'static const char *fold(int a,\n        int b)\n{\n}\n' >"$bad/index/store/stem.c"
printf 'typedef struct {\n\tint n;\n} Page;\n' >"$bad/common/base/page.h"
printf '#include "common/base/page.h"\n#include "extractors/rtf/rtf.h"\n' >"$bad/extractors/pdf/pdf.cc"
printf 'typedef struct {\n\tint n;\n} Twice;\n' | tee "$bad/common/base/one.h" >"$bad/index/text/two.h"
is "an include against the order is found" "$(wrong_includes "$bad")" "extractors/pdf/pdf.cc extractors/rtf/rtf.h
index/text/stem.c index/store/db.h"
is "a static function name in two files is found" "$(repeated_functions "$bad" | cut -d' ' -f1)" fold
is "two sources of the same name are found" "$(repeated_sources "$bad")" stem.c
is "two types of the same name are found" "$(repeated_types "$bad")" "Twice common/base/one.h index/text/two.h"
printf 'a: b\nb: c\nc: a\nd: a\ne:\n' >"$TEST_TMP/circle"
is "a circle of includes is found" "$(circles "$TEST_TMP/circle" | tr '\n' ' ')" "a b c d "

is "only index contains SQL" "$(grep -lE 'sqlite3_(prepare|exec|step)' -r --include='*.[ch]' common extractors fetch daemon ui-cli ui-bus ui-web ui-fuse library)" ""
is "only index/fts reads FTS5's own tables" "$(grep -nE '\<(text|name|gram)_(data|idx|docsize|config)\>' -r --include='*.[ch]' index daemon ui-cli ui-bus ui-web ui-fuse library |
	grep -v '^index/fts/' | grep -vE '"SELECT max\(id\) FROM [a-z]+_data"')" ""
is "every source names its licence" "$(find common index extractors fetch daemon ui-cli ui-bus ui-web ui-fuse library tests bench data build-aux m4 -type f \
	\( -name '*.[ch]' -o -name '*.sql' -o -name '*.inc' -o -name 'tarsier-*.m4' -o -name '*.sh' -o -name '*.py' \) \
	! -path '*/data/*' ! -name '*-sql.h' ! -name fold-table.h ! -name 'install-sh' ! -name tap-driver.sh ! -name ltmain.sh \
	-exec grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' {} +)" ""
done_testing

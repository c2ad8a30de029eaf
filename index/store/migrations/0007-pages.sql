-- SPDX-License-Identifier: GPL-3.0-or-later
-- The documents of sources, and what is known of sources and hosts: empty tables.
-- A source as the configuration names it, and the root of its documents.
CREATE TABLE IF NOT EXISTS web_root(
	source INTEGER PRIMARY KEY,
	url TEXT NOT NULL,
	is_feed INTEGER NOT NULL,
	node INTEGER NOT NULL,
	visited_s INTEGER NOT NULL DEFAULT 0, -- the last answer, seconds since 1970
	failed_s INTEGER NOT NULL DEFAULT 0, -- the last failure
	failure TEXT -- what it was, a clause that is not translated
);

-- Documents of sources: children of the node of the source, whose name is their whole URL. Their inodes are
-- on the file system "web". The bytes are a record in the store of the source, INDEX/web/SOURCE
-- (common/warc/warc-store.h).
CREATE TABLE IF NOT EXISTS web_page(
	inode INTEGER PRIMARY KEY,
	source INTEGER NOT NULL,
	kind INTEGER NOT NULL, -- WebPageKind
	flags INTEGER NOT NULL, -- WebPageFlags
	url TEXT NOT NULL, -- what the record is about
	file INTEGER NOT NULL, -- of the store, 0: the bytes are not kept
	offset INTEGER NOT NULL,
	length INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS web_page_place ON web_page(source, file, offset);

-- What robots.txt asks of this crawler (robots_rules_pack()). No row: nothing.
CREATE TABLE IF NOT EXISTS web_robots(
	host INTEGER PRIMARY KEY,
	rules BLOB NOT NULL
);

-- What a source asks for and finds.
CREATE TABLE IF NOT EXISTS web_scope(
	source INTEGER PRIMARY KEY,
	patterns INTEGER NOT NULL, -- hash of the patterns of its URLs, 0: it has none
	probed INTEGER NOT NULL, -- when a page that cannot exist was asked, seconds, 0: never
	probe BLOB -- the fingerprint of the answer (near_pack()), NULL: it was not a page
);

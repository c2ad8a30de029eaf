-- SPDX-License-Identifier: GPL-3.0-or-later
-- The schema of version 16 of the index, as its indexes have it.
CREATE TABLE filesystem(
	id INTEGER PRIMARY KEY,
	identity TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL
);
CREATE TABLE node(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	parent INTEGER NOT NULL,
	name BLOB NOT NULL,
	inode INTEGER NOT NULL,
	UNIQUE(parent, name)
);
CREATE INDEX node_inode ON node(inode);
CREATE TABLE inode(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	filesystem INTEGER NOT NULL,
	ino INTEGER NOT NULL,
	birth_ns INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	size INTEGER NOT NULL,
	mtime_ns INTEGER NOT NULL,
	ctime_ns INTEGER NOT NULL,
	uid INTEGER NOT NULL,
	gid INTEGER NOT NULL,
	mode INTEGER NOT NULL,
	content INTEGER,
	state INTEGER NOT NULL,
	reason INTEGER NOT NULL DEFAULT 0,
	tries INTEGER NOT NULL DEFAULT 0,
	detail TEXT,
	UNIQUE(filesystem, ino, birth_ns)
);
CREATE INDEX inode_content ON inode(content) WHERE content IS NOT NULL;
CREATE INDEX inode_todo ON inode(state, mtime_ns) WHERE state <> 0;
CREATE INDEX inode_newest ON inode(mtime_ns DESC, content) WHERE content IS NOT NULL;
CREATE TABLE content(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	checksum BLOB NOT NULL UNIQUE,
	size INTEGER NOT NULL,
	mime TEXT,
	extractor TEXT,
	version INTEGER NOT NULL DEFAULT 0,
	state INTEGER NOT NULL,
	reason INTEGER NOT NULL DEFAULT 0,
	tries INTEGER NOT NULL DEFAULT 0,
	detail TEXT
);
CREATE INDEX content_unsupported ON content(mime) WHERE extractor IS NULL;
CREATE INDEX content_state ON content(state) WHERE state <> 0;
CREATE TABLE document(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	content INTEGER NOT NULL,
	words INTEGER NOT NULL,
	date INTEGER NOT NULL
);
CREATE INDEX document_content ON document(content);
CREATE INDEX document_newest ON document(date) WHERE date <> 0;
CREATE TABLE fact(
	document INTEGER PRIMARY KEY,
	member BLOB,
	mime TEXT NOT NULL,
	size INTEGER,
	mtime_ns INTEGER,
	title TEXT,
	author TEXT,
	lang TEXT,
	pages INTEGER,
	seconds INTEGER,
	state INTEGER NOT NULL,
	reason INTEGER NOT NULL,
	truncated INTEGER NOT NULL,
	detail TEXT,
	text_bytes INTEGER NOT NULL,
	text_checksum BLOB
);
CREATE INDEX fact_flawed ON fact(document) WHERE state = 2 OR truncated <> 0;
CREATE INDEX fact_newest ON fact(mtime_ns) WHERE mtime_ns IS NOT NULL;
CREATE TABLE fingerprint(
	document INTEGER PRIMARY KEY,
	bits BLOB NOT NULL
);
CREATE TABLE meaning_word(
	part INTEGER PRIMARY KEY,
	words BLOB NOT NULL
);
CREATE TABLE meaning_vector(
	block INTEGER PRIMARY KEY,
	present INTEGER NOT NULL,
	vectors BLOB NOT NULL
);
CREATE TABLE link(
	content INTEGER PRIMARY KEY,
	packed BLOB NOT NULL
);
CREATE TABLE web_source(
	id INTEGER PRIMARY KEY,
	host INTEGER NOT NULL,
	prefix TEXT NOT NULL,
	pages_most INTEGER NOT NULL,
	depth_most INTEGER NOT NULL,
	bytes_most INTEGER NOT NULL,
	every_s INTEGER NOT NULL,
	urls INTEGER NOT NULL DEFAULT 0,
	pages INTEGER NOT NULL DEFAULT 0,
	bytes INTEGER NOT NULL DEFAULT 0,
	UNIQUE(host, prefix)
);
CREATE TABLE web_root(
	source INTEGER PRIMARY KEY,
	url TEXT NOT NULL,
	is_feed INTEGER NOT NULL,
	node INTEGER NOT NULL,
	visited_s INTEGER NOT NULL DEFAULT 0,
	failed_s INTEGER NOT NULL DEFAULT 0,
	failure TEXT
);
CREATE TABLE web_page(
	inode INTEGER PRIMARY KEY,
	source INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	flags INTEGER NOT NULL,
	url TEXT NOT NULL,
	file INTEGER NOT NULL,
	offset INTEGER NOT NULL,
	length INTEGER NOT NULL
);
CREATE INDEX web_page_place ON web_page(source, file, offset);
CREATE TABLE web_host(
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	address BLOB,
	next_ms INTEGER NOT NULL DEFAULT 0,
	wait_ms INTEGER NOT NULL DEFAULT 0,
	server_ms INTEGER NOT NULL DEFAULT 0,
	server_wait_ms INTEGER NOT NULL DEFAULT 0,
	feed_ms INTEGER NOT NULL DEFAULT 0,
	delay_ms INTEGER NOT NULL DEFAULT 0,
	backoff INTEGER NOT NULL DEFAULT 0,
	robots INTEGER NOT NULL DEFAULT 0,
	robots_s INTEGER NOT NULL DEFAULT 0,
	asked INTEGER,
	asked_ms INTEGER NOT NULL DEFAULT 0,
	day_most INTEGER NOT NULL DEFAULT 0,
	revisit BLOB
);
CREATE TABLE web_url(
	host INTEGER NOT NULL,
	hash INTEGER NOT NULL,
	path TEXT NOT NULL,
	kind INTEGER NOT NULL,
	priority INTEGER NOT NULL,
	depth INTEGER NOT NULL,
	due INTEGER,
	status INTEGER NOT NULL,
	visit BLOB,
	PRIMARY KEY(host, hash)
) WITHOUT ROWID;
CREATE TABLE web_branch(
	host INTEGER NOT NULL,
	shape INTEGER NOT NULL,
	pages INTEGER NOT NULL,
	poor INTEGER NOT NULL,
	PRIMARY KEY(host, shape)
) WITHOUT ROWID;
CREATE TABLE web_robots(
	host INTEGER PRIMARY KEY,
	rules BLOB NOT NULL
);
CREATE TABLE web_scope(
	source INTEGER PRIMARY KEY,
	patterns INTEGER NOT NULL,
	probed INTEGER NOT NULL,
	probe BLOB
);
CREATE TABLE web_rule(
	id INTEGER PRIMARY KEY,
	source INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	ends INTEGER NOT NULL,
	former TEXT NOT NULL,
	latter TEXT,
	support INTEGER NOT NULL,
	tried INTEGER NOT NULL,
	equal INTEGER NOT NULL,
	state INTEGER NOT NULL,
	saved INTEGER NOT NULL,
	tested INTEGER NOT NULL
);
CREATE INDEX web_rule_source ON web_rule(source);
CREATE TABLE web_lesson(
	source INTEGER PRIMARY KEY,
	pages INTEGER NOT NULL,
	walk INTEGER NOT NULL
);
CREATE TABLE change(
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	kind INTEGER NOT NULL,
	id INTEGER NOT NULL,
	time_ns INTEGER
);
CREATE TABLE consumer(
	name TEXT PRIMARY KEY,
	seq INTEGER NOT NULL,
	lapsed INTEGER NOT NULL,
	heard_s INTEGER NOT NULL,
	exposure_ms INTEGER,
	failed_s INTEGER,
	failure TEXT
) WITHOUT ROWID;
CREATE VIRTUAL TABLE text USING fts5(
	body, title, heading, author, recipient, cc, keyword, comment, member, noise,
	content='', detail=full, tokenize='tarsier stream'
);
INSERT INTO text(text, rank) VALUES('pgsz', 8146);
INSERT INTO text(text, rank) VALUES('hashsize', 8388608);
INSERT INTO text(text, rank) VALUES('automerge', 8);
INSERT INTO text(text, rank) VALUES('crisismerge', 32);
CREATE VIRTUAL TABLE name USING fts5(entry, content='', detail=full, tokenize='tarsier');
INSERT INTO name(name, rank) VALUES('pgsz', 8146);
CREATE VIRTUAL TABLE gram USING fts5(entry, content='', detail=none, columnsize=0, tokenize='tarsier grams');
INSERT INTO gram(gram, rank) VALUES('pgsz', 8146);
CREATE TABLE meta(
	key TEXT PRIMARY KEY,
	value
) WITHOUT ROWID;

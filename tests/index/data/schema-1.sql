-- SPDX-License-Identifier: GPL-3.0-or-later
-- The schema of version 1 of the index, as its indexes have it.
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
CREATE TABLE fingerprint(
	document INTEGER PRIMARY KEY,
	bits BLOB NOT NULL
);
CREATE TABLE link(
	content INTEGER PRIMARY KEY,
	packed BLOB NOT NULL
);
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
CREATE TABLE meta(
	key TEXT PRIMARY KEY,
	value
) WITHOUT ROWID;

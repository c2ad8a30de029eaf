-- SPDX-License-Identifier: GPL-3.0-or-later
-- schema.sql - the whole index at the current version (user_version, index/store/db.h)
--
-- node -> inode -> content -> document -> text (FTS5). Names and directories are rows (parent, name): renaming a
-- directory of any size changes one row. Many nodes may lead to one inode (hard links), many inodes to one
-- content (exact copies), one content to many documents (members of a container). A document's id is the rowid of its
-- text; ids are never used twice, so a deleted document's row in the text index is dead, not wrong: it joins nothing.
-- No original and no plain text is stored.

-- A file system by an identity that survives a reboot (UUID or fsid, never st_dev).
CREATE TABLE filesystem(
	id INTEGER PRIMARY KEY,
	identity TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL
);

-- A directory entry. A root has parent 0 and its absolute path as name. Names are raw bytes.
CREATE TABLE node(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	parent INTEGER NOT NULL,
	name BLOB NOT NULL,
	inode INTEGER NOT NULL,
	UNIQUE(parent, name)
);
CREATE INDEX node_inode ON node(inode);

-- What stat says. kind: 0 file, 1 directory, 2 symbolic link, 3 other.
-- state: 0 done (content set, or nothing to convert), 1 pending, 2 failed before conversion (reason, detail),
-- 3 orphan: seen gone, kept a moment in case it turns up elsewhere.
CREATE TABLE inode(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	filesystem INTEGER NOT NULL,
	ino INTEGER NOT NULL,
	birth_ns INTEGER NOT NULL, -- 0 where the file system has none
	kind INTEGER NOT NULL,
	size INTEGER NOT NULL,
	mtime_ns INTEGER NOT NULL,
	ctime_ns INTEGER NOT NULL,
	uid INTEGER NOT NULL,
	gid INTEGER NOT NULL,
	mode INTEGER NOT NULL, -- permission bits with setuid, setgid, sticky
	content INTEGER, -- of files
	state INTEGER NOT NULL,
	reason INTEGER NOT NULL DEFAULT 0, -- DocReason
	tries INTEGER NOT NULL DEFAULT 0,
	detail TEXT,
	UNIQUE(filesystem, ino, birth_ns)
);
CREATE INDEX inode_content ON inode(content) WHERE content IS NOT NULL;
CREATE INDEX inode_todo ON inode(state, mtime_ns) WHERE state <> 0;

-- The bytes of one or many equal files. state: DocState, or 3 while its documents are being written (then they are
-- not shown, and a start-up removes them).
CREATE TABLE content(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	checksum BLOB NOT NULL UNIQUE, -- XXH3-128 of the bytes, canonical (big endian)
	size INTEGER NOT NULL,
	mime TEXT,
	extractor TEXT, -- plugin and its version: another version converts again
	version INTEGER NOT NULL DEFAULT 0,
	state INTEGER NOT NULL,
	reason INTEGER NOT NULL DEFAULT 0,
	tries INTEGER NOT NULL DEFAULT 0,
	detail TEXT
);
-- What no plugin was there for, when one is installed. Which version each plugin had is in meta.
CREATE INDEX content_unsupported ON content(mime) WHERE extractor IS NULL;
CREATE INDEX content_state ON content(state) WHERE state <> 0;

-- Narrow: read for every match that is ranked. Deleting the row takes the document out of every result.
CREATE TABLE document(
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- rowid in text
	content INTEGER NOT NULL,
	words INTEGER NOT NULL, -- tokens in all columns
	date INTEGER NOT NULL -- seconds since 1970 of the document's own date, 0 if it has none
);
CREATE INDEX document_content ON document(content);

-- Wide: read for the hits that are shown and for filters on facts.
CREATE TABLE fact(
	document INTEGER PRIMARY KEY,
	member BLOB, -- path inside the container, NULL: the file itself
	mime TEXT NOT NULL,
	size INTEGER, -- of a member
	mtime_ns INTEGER, -- of a member
	title TEXT,
	author TEXT,
	lang TEXT,
	pages INTEGER,
	seconds INTEGER, -- of a recording
	state INTEGER NOT NULL, -- DocState
	reason INTEGER NOT NULL,
	truncated INTEGER NOT NULL,
	detail TEXT,
	text_bytes INTEGER NOT NULL,
	text_checksum BLOB -- XXH3-128 of the folded words, its first 8 bytes, NULL without words
);
CREATE INDEX fact_flawed ON fact(document) WHERE state = 2 OR truncated <> 0;

-- Narrow: all that a look for near copies reads. Documents of too few words have none.
CREATE TABLE fingerprint(
	document INTEGER PRIMARY KEY,
	bits BLOB NOT NULL -- simhash and sketch, 8 + 16 bytes, big endian (index/copies/near.h)
);

-- Links of a content's own document that may lead to files here, with their texts (index/store/links.h). Where they lead is looked up when
-- "anchor:" asks: moves and new targets change nothing.
CREATE TABLE link(
	content INTEGER PRIMARY KEY,
	packed BLOB NOT NULL
);

-- The words, given as ready terms (index/text/terms.h). Column order matters: every posting outside column 0 costs two bytes more.
CREATE VIRTUAL TABLE text USING fts5(
	body, title, heading, author, recipient, cc, keyword, comment, member, noise,
	content='', detail=full, tokenize='tarsier stream'
);
INSERT INTO text(text, rank) VALUES('pgsz', 8146);
INSERT INTO text(text, rank) VALUES('hashsize', 8388608);
INSERT INTO text(text, rank) VALUES('automerge', 8);
INSERT INTO text(text, rank) VALUES('crisismerge', 32);

-- Names of entries, by node (a column may not be called as its table). A rename touches this table and never the text.
CREATE VIRTUAL TABLE name USING fts5(entry, content='', detail=full, tokenize='tarsier');
INSERT INTO name(name, rank) VALUES('pgsz', 8146);

-- Every three characters that follow each other in a folded name: of entries by node, of members by their document, negative. What a
-- pattern such as "*port-20*" may meet is looked up here (index/search/search-names.c).
CREATE VIRTUAL TABLE gram USING fts5(entry, content='', detail=none, columnsize=0, tokenize='tarsier grams');
INSERT INTO gram(gram, rank) VALUES('pgsz', 8146);

-- Small facts about the index itself: 'created', 'identity' (random; the text cache carries it too), 'rebuilt' (why and when), 'clean' (1 after an orderly stop), 'plugin NAME' (its version when last asked), and totals
-- kept by the writer so that status needs no scan. 'later CONTENT': something that takes long was left out of it (value: the content).
CREATE TABLE meta(
	key TEXT PRIMARY KEY,
	value
) WITHOUT ROWID;

-- SPDX-License-Identifier: GPL-3.0-or-later
-- schema.sql - the whole index at the current version (user_version, index/store/db.h)
--
-- node -> inode -> content -> document -> text (FTS5). Names and directories are rows (parent, name):
-- renaming a directory of any size changes one row. Many nodes may refer to one inode (hard links),
-- many inodes to one content (exact copies), and one content has many documents (members of a
-- container). A document's id is the rowid of its text. Ids are never reused, so the row of a deleted
-- document in the text index is a tombstone: it joins nothing. No original and no plain text is stored.

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

-- What the entries of a directory were when its last visit found all of them as their rows say
-- (daemon/crawl/digest.h). The writer deletes it when a row of an entry changes.
CREATE TABLE digest(
	directory INTEGER PRIMARY KEY, -- node
	digest INTEGER NOT NULL
);

-- Stat data. kind: EntryKind (0 file, 1 directory, 2 symbolic link, 3 other).
-- state: InodeState. 0 done (content set, or nothing to convert), 1 pending, 2 failed before conversion
-- (reason, detail), 3 orphan: its name is gone; it is kept for a moment in case it turns up elsewhere.
CREATE TABLE inode(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	filesystem INTEGER NOT NULL,
	ino INTEGER NOT NULL,
	birth_ns INTEGER NOT NULL, -- 0 where the file system has none; -1: known by its name, from which ino is derived
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
-- The three indexes "newest" give documents in the order of their date (index/search/newest.c).
CREATE INDEX inode_newest ON inode(mtime_ns DESC, content) WHERE content IS NOT NULL;

-- The bytes of one or many equal files. state: DocState, or 3 while its documents are being written
-- (search does not show them, and the next start removes them).
-- detail: of the reason; of a container that was read whole, how many members the rules keep out; NULL: none.
CREATE TABLE content(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	checksum BLOB NOT NULL UNIQUE, -- of the bytes, keyed (index/text/checksum.h); 16 bytes, or a longer mark (index/store/db-key.h)
	size INTEGER NOT NULL,
	mime TEXT,
	extractor TEXT, -- plugin and its version: another version converts again
	version INTEGER NOT NULL DEFAULT 0,
	state INTEGER NOT NULL,
	reason INTEGER NOT NULL DEFAULT 0,
	tries INTEGER NOT NULL DEFAULT 0,
	detail TEXT
);
-- Finds the contents that no plugin was available for, when one is installed. meta has the version of each
-- plugin.
CREATE INDEX content_unsupported ON content(mime) WHERE extractor IS NULL;
CREATE INDEX content_state ON content(state) WHERE state <> 0;

-- Narrow: read for every match that is ranked. Deleting the row removes the document from every result.
CREATE TABLE document(
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- rowid in text
	content INTEGER NOT NULL,
	words INTEGER NOT NULL, -- tokens in all columns
	date INTEGER NOT NULL -- seconds since 1970 of the document's own date, 0 if it has none
);
CREATE INDEX document_content ON document(content);
CREATE INDEX document_newest ON document(date) WHERE date <> 0;

-- Wide: read for hits that are shown, and for filters on facts.
-- New columns go last, as a migration appends them.
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
	text_checksum BLOB -- keyed checksum of the folded words, its first 8 bytes, NULL without words
);
CREATE INDEX fact_flawed ON fact(document) WHERE state = 2 OR truncated <> 0;
CREATE INDEX fact_newest ON fact(mtime_ns) WHERE mtime_ns IS NOT NULL;

-- Narrow: all that a search for near copies reads. Documents with too few words have no row.
CREATE TABLE fingerprint(
	document INTEGER PRIMARY KEY,
	bits BLOB NOT NULL -- simhash and sketch, 8 + 16 bytes, big endian (index/text/near.h)
);

-- Latent semantics (index/meaning), learned from the texts; empty until there are enough. The words of the
-- model: a part for each of the 2,048 values of the first 11 bits of their hashes (index/meaning/model.h).
CREATE TABLE meaning_word(
	part INTEGER PRIMARY KEY,
	words BLOB NOT NULL
);

-- The vectors of documents in this model, those of 16 ids in a row: block is the id divided by 16, present has the bit of
-- each remainder whose document has a vector, in the order of their ids. Documents without words of the model have none.
CREATE TABLE meaning_vector(
	block INTEGER PRIMARY KEY,
	present INTEGER NOT NULL,
	vectors BLOB NOT NULL -- of 32 signed bytes each (index/meaning/vector.h)
);

-- Links of a content's own document that may lead to local files, with their texts
-- (index/store/links.h). "anchor:" resolves them at query time, so moves and new targets change nothing.
CREATE TABLE link(
	content INTEGER PRIMARY KEY,
	packed BLOB NOT NULL
);

-- A site or feed that somebody added: what lies below a path prefix of one origin.
CREATE TABLE web_source(
	id INTEGER PRIMARY KEY,
	host INTEGER NOT NULL,
	prefix TEXT NOT NULL, -- of paths, begins with "/"
	pages_most INTEGER NOT NULL,
	depth_most INTEGER NOT NULL,
	bytes_most INTEGER NOT NULL,
	every_s INTEGER NOT NULL, -- upper bound between two visits of a URL
	urls INTEGER NOT NULL DEFAULT 0, -- known ones
	pages INTEGER NOT NULL DEFAULT 0, -- URLs that were answered at least once
	bytes INTEGER NOT NULL DEFAULT 0, -- of all their answers
	UNIQUE(host, prefix)
);

-- A source as the configuration names it, and the root of its documents.
CREATE TABLE web_root(
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
CREATE TABLE web_page(
	inode INTEGER PRIMARY KEY,
	source INTEGER NOT NULL,
	kind INTEGER NOT NULL, -- WebPageKind
	flags INTEGER NOT NULL, -- WebPageFlags
	url TEXT NOT NULL, -- what the record is about
	file INTEGER NOT NULL, -- of the store, 0: the bytes are not kept
	offset INTEGER NOT NULL,
	length INTEGER NOT NULL
);
CREATE INDEX web_page_place ON web_page(source, file, offset);

-- An origin, and when it may be asked again. Moments are milliseconds of the wall clock since 1970.
CREATE TABLE web_host(
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE, -- "https://example.org"
	address BLOB, -- 4 or 16 bytes, NULL: not known yet
	next_ms INTEGER NOT NULL DEFAULT 0, -- nobody asks the host before
	wait_ms INTEGER NOT NULL DEFAULT 0, -- the wait that led to next_ms
	server_ms INTEGER NOT NULL DEFAULT 0, -- the same for all hosts of the address
	server_wait_ms INTEGER NOT NULL DEFAULT 0,
	feed_ms INTEGER NOT NULL DEFAULT 0, -- the last request for a feed
	delay_ms INTEGER NOT NULL DEFAULT 0, -- Crawl-delay
	backoff INTEGER NOT NULL DEFAULT 0, -- doublings of the gap
	robots INTEGER NOT NULL DEFAULT 0, -- WebRobots
	robots_s INTEGER NOT NULL DEFAULT 0, -- when robots.txt is asked again, seconds
	asked INTEGER, -- the URL that is being asked: its hash, NULL: none
	asked_ms INTEGER NOT NULL DEFAULT 0,
	day_most INTEGER NOT NULL DEFAULT 0, -- visits in a day, 0: as its pages are worth
	revisit BLOB -- the plan of visits (index/write/write-web-host.c)
);

-- The frontier. A URL is its host and the hash of its path, so that all of a host lie together. Most paths are
-- packed (index/store/web-path.h): the SQL function web_path() gives their text.
CREATE TABLE web_url(
	host INTEGER NOT NULL,
	hash INTEGER NOT NULL, -- 8 bytes, of the path (web_hash())
	path TEXT NOT NULL, -- with the query
	kind INTEGER NOT NULL, -- WebKind
	priority INTEGER NOT NULL, -- 0 to 255: the front queue
	depth INTEGER NOT NULL, -- links from the start
	due INTEGER, -- seconds since 1970, 0: at once, NULL: never again
	status INTEGER NOT NULL, -- of the last answer, 0: none yet
	visit BLOB, -- what the visits told (index/write/write-web.c), NULL: none yet; of an alias (status 3), the hash of the other URL
	PRIMARY KEY(host, hash)
) WITHOUT ROWID;

-- Evidence of traps: pages of one shape (daemon/web/traps.h).
CREATE TABLE web_branch(
	host INTEGER NOT NULL,
	shape INTEGER NOT NULL, -- its hash
	pages INTEGER NOT NULL,
	poor INTEGER NOT NULL, -- near copies and soft 404s
	PRIMARY KEY(host, shape)
) WITHOUT ROWID;

-- What robots.txt asks of this crawler (robots_rules_pack()). No row: nothing.
CREATE TABLE web_robots(
	host INTEGER PRIMARY KEY,
	rules BLOB NOT NULL
);

-- What a source asks for and finds.
CREATE TABLE web_scope(
	source INTEGER PRIMARY KEY,
	patterns INTEGER NOT NULL, -- hash of the rules by which its documents were judged, 0: it has none
	probed INTEGER NOT NULL, -- when a page that cannot exist was asked, seconds, 0: never
	probe BLOB -- the fingerprint of the answer (near_pack()), NULL: it was not a page
);

-- A rule by which several URLs of a source lead to the same page (common/dust/dust.h). Rules are applied in
-- the order of their ids.
CREATE TABLE web_rule(
	id INTEGER PRIMARY KEY,
	source INTEGER NOT NULL,
	kind INTEGER NOT NULL, -- DustKind
	ends INTEGER NOT NULL, -- 1: it begins the URL, 2: it ends it
	former TEXT NOT NULL, -- what is replaced
	latter TEXT, -- by what; NULL: it is removed
	support INTEGER NOT NULL, -- pairs of known pages that are equal
	tried INTEGER NOT NULL, -- pairs of the sample
	equal INTEGER NOT NULL, -- those of them that were equal
	state INTEGER NOT NULL, -- WebRuleState
	saved INTEGER NOT NULL, -- URLs that are not requested because of it
	tested INTEGER NOT NULL -- when pages last spoke for or against it, seconds
);
CREATE INDEX web_rule_source ON web_rule(source);

-- When rules were last learned of a source.
CREATE TABLE web_lesson(
	source INTEGER PRIMARY KEY,
	pages INTEGER NOT NULL, -- that the source had then
	walk INTEGER NOT NULL -- 1: the rules have changed since all its URLs were compared with them
);

-- What changed since somebody who copies the index elsewhere last looked (index/read/reader-changes.h). Rows
-- are written only while a consumer is known. kind: ChangeKind; id: of a content, or of the inode of a directory;
-- time_ns: when permissions or a name changed, by the ctime, NULL: something else changed.
CREATE TABLE change(
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	kind INTEGER NOT NULL,
	id INTEGER NOT NULL,
	time_ns INTEGER
);

-- Programs that follow the changes, and how far each has read them. meta has the last change that is no longer kept
-- ('changes_floor').
CREATE TABLE consumer(
	name TEXT PRIMARY KEY,
	seq INTEGER NOT NULL, -- it has read all up to this one
	lapsed INTEGER NOT NULL, -- 1: it was away for so long that no changes are kept for it
	heard_s INTEGER NOT NULL, -- when it last reported, seconds since 1970
	exposure_ms INTEGER, -- from a change of permissions to the target, 95th percentile, NULL: not known
	failed_s INTEGER, -- since when its target fails, NULL: it works
	failure TEXT -- how, a clause
) WITHOUT ROWID;

-- The words, as streams of terms (index/text/terms.h). The order of columns matters: every posting outside
-- column 0 costs two more bytes.
CREATE VIRTUAL TABLE text USING fts5(
	body, title, heading, author, recipient, cc, keyword, comment, member, noise,
	content='', detail=full, tokenize='tarsier stream'
);
INSERT INTO text(text, rank) VALUES('pgsz', 8146);
INSERT INTO text(text, rank) VALUES('hashsize', 8388608);
INSERT INTO text(text, rank) VALUES('automerge', 8);
INSERT INTO text(text, rank) VALUES('crisismerge', 32);

-- Names of entries, by node (a column may not have the name of its table). A rename changes this table and
-- never the text.
CREATE VIRTUAL TABLE name USING fts5(entry, content='', detail=full, tokenize='tarsier');
INSERT INTO name(name, rank) VALUES('pgsz', 8146);

-- The grams (three consecutive characters) of folded names: of entries by node, of members by the negative
-- id of their document. They yield the candidates of a pattern such as "*port-20*"
-- (index/search/search-names.c). meta has the last node ('gram_nodes') and the last document
-- ('gram_documents') whose names are in it; the grams of later ones are written together.
CREATE VIRTUAL TABLE gram USING fts5(entry, content='', detail=none, columnsize=0, tokenize='tarsier grams');
INSERT INTO gram(gram, rank) VALUES('pgsz', 8146);

-- Facts about the index itself: 'created', 'identity' (random; the text cache has it too), 'checksum_key'
-- (index/store/db-key.h), 'rebuilt' (why and when), 'clean' (1 after an orderly stop), 'plugin NAME' (its version when last asked), 'later CONTENT'
-- (slow work was deferred when it was converted; value: the content), 'merging' (index/write/write-segments.c), 'meaning' (the
-- number of documents that the model was learned from, 0: it is not complete), 'meaning_gone' (how many of them were removed since), 'vectors', 'vectors_words' and
-- 'vectors_refused' (index/write/write-vectors.c), and totals that the writer maintains
-- so that status needs no scan.
CREATE TABLE meta(
	key TEXT PRIMARY KEY,
	value
) WITHOUT ROWID;

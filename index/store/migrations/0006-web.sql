-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sites and feeds: four empty tables, which cost nothing where there are none.
-- A site or feed that somebody added: what lies below a path prefix of one origin.
CREATE TABLE IF NOT EXISTS web_source(
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

-- An origin, and when it may be asked again. Moments are milliseconds of the wall clock since 1970.
CREATE TABLE IF NOT EXISTS web_host(
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
	day_most INTEGER NOT NULL DEFAULT 0, -- visits in a day, 0: as politeness allows
	revisit BLOB -- the plan of visits (index/write/write-web.c)
);

-- The frontier. A URL is its host and the hash of its path, so that all of a host lie together.
CREATE TABLE IF NOT EXISTS web_url(
	host INTEGER NOT NULL,
	hash INTEGER NOT NULL, -- 8 bytes, of the path (web_hash())
	path TEXT NOT NULL, -- with the query
	kind INTEGER NOT NULL, -- WebKind
	priority INTEGER NOT NULL, -- 0 to 255: the front queue
	depth INTEGER NOT NULL, -- links from the start
	due INTEGER, -- seconds since 1970, 0: at once, NULL: never again
	status INTEGER NOT NULL, -- of the last answer, 0: none yet
	visit BLOB, -- what the visits told (index/write/write-web.c), NULL: none yet
	PRIMARY KEY(host, hash)
) WITHOUT ROWID;

-- Evidence of traps: pages of one shape (daemon/web/traps.h).
CREATE TABLE IF NOT EXISTS web_branch(
	host INTEGER NOT NULL,
	shape INTEGER NOT NULL, -- its hash
	pages INTEGER NOT NULL,
	poor INTEGER NOT NULL, -- near copies and soft 404s
	PRIMARY KEY(host, shape)
) WITHOUT ROWID;

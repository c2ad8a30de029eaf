-- SPDX-License-Identifier: GPL-3.0-or-later
-- The log of changes for those who copy the index elsewhere: empty tables.
-- What changed since somebody who copies the index elsewhere last looked (index/read/reader-changes.h). Rows
-- are written only while a consumer is known. kind: ChangeKind; id: of a content, or of the inode of a directory;
-- time_ns: when permissions or a name changed, by the ctime, NULL: something else changed.
CREATE TABLE IF NOT EXISTS change(
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	kind INTEGER NOT NULL,
	id INTEGER NOT NULL,
	time_ns INTEGER
);

-- Programs that follow the changes, and how far each has read them. meta has the last change that is no longer kept
-- ('changes_floor').
CREATE TABLE IF NOT EXISTS consumer(
	name TEXT PRIMARY KEY,
	seq INTEGER NOT NULL, -- it has read all up to this one
	lapsed INTEGER NOT NULL, -- 1: it was away for so long that no changes are kept for it
	heard_s INTEGER NOT NULL, -- when it last reported, seconds since 1970
	exposure_ms INTEGER, -- from a change of permissions to the target, 95th percentile, NULL: not known
	failed_s INTEGER, -- since when its target fails, NULL: it works
	failure TEXT -- how, a clause
) WITHOUT ROWID;

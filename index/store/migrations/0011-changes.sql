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

-- Who follows the changes, and how far he has come. meta has the last change that is no longer kept
-- ('changes_floor').
CREATE TABLE IF NOT EXISTS consumer(
	name TEXT PRIMARY KEY,
	seq INTEGER NOT NULL, -- he has all up to this one
	lapsed INTEGER NOT NULL, -- 1: he was away for so long that no changes are kept for him
	heard_s INTEGER NOT NULL, -- when he last said so, seconds since 1970
	exposure_ms INTEGER, -- from a change of permissions to the target, 95th percentile, NULL: not known
	failed_s INTEGER, -- since when his target fails, NULL: it does not
	failure TEXT -- how, a clause
) WITHOUT ROWID;

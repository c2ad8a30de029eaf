-- SPDX-License-Identifier: GPL-3.0-or-later
-- All names have their grams; those of later ones are written for many at once.
INSERT OR REPLACE INTO meta
SELECT 'gram_' || name || 's', seq FROM sqlite_sequence WHERE name IN ('node', 'document');

-- URL rules that were learned of sources: empty tables.
-- A rule by which several URLs of a source lead to the same page (common/dust/dust.h). Rules are applied in
-- the order of their ids.
CREATE TABLE IF NOT EXISTS web_rule(
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
CREATE INDEX IF NOT EXISTS web_rule_source ON web_rule(source);

-- When rules were last learned of a source.
CREATE TABLE IF NOT EXISTS web_lesson(
	source INTEGER PRIMARY KEY,
	pages INTEGER NOT NULL, -- that the source had then
	walk INTEGER NOT NULL -- 1: the rules have changed since all its URLs were compared with them
);

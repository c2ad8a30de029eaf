-- SPDX-License-Identifier: GPL-3.0-or-later
-- Names by three characters, for patterns. Row numbers ascend: FTS5 begins a new segment where they do not.
CREATE VIRTUAL TABLE gram USING fts5(entry, content='', detail=none, columnsize=0, tokenize='tarsier grams');
INSERT INTO gram(gram, rank) VALUES('pgsz', 8146);
INSERT INTO gram(rowid, entry) SELECT -document, CAST(member AS TEXT) FROM fact WHERE member IS NOT NULL ORDER BY document DESC;
INSERT INTO gram(rowid, entry) SELECT id, CAST(name AS TEXT) FROM node ORDER BY id;

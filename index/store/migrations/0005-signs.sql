-- SPDX-License-Identifier: GPL-3.0-or-later
-- Words with their signs (c++, at&t) are terms. Names get them at once; the texts of contents up to 'signs_last' get them at idle
-- (index/write/write-signs.c), and 'signs_done' is the last one that has them.
DROP TABLE name;
CREATE VIRTUAL TABLE name USING fts5(entry, content='', detail=full, tokenize='tarsier');
INSERT INTO name(name, rank) VALUES('pgsz', 8146);
INSERT INTO name(rowid, entry)
SELECT id, iif(parent = 0, substr(path, length(rtrim(path, replace(path, '/', ' '))) + 1), path)
FROM (SELECT id, parent, CAST(name AS TEXT) AS path FROM node) ORDER BY id;
INSERT OR REPLACE INTO meta SELECT 'signs_last', max(id) FROM content HAVING max(id) > 0;
INSERT OR REPLACE INTO meta SELECT 'signs_done', 0 FROM meta WHERE key = 'signs_last';

-- SPDX-License-Identifier: GPL-3.0-or-later
-- Words of names with the parts that digits divide, and those of other letters than ASCII's. Of a root only the last component is its name.
DROP TABLE name;
CREATE VIRTUAL TABLE name USING fts5(entry, content='', detail=full, tokenize='tarsier');
INSERT INTO name(name, rank) VALUES('pgsz', 8146);
INSERT INTO name(rowid, entry)
SELECT id, iif(parent = 0, substr(path, length(rtrim(path, replace(path, '/', ' '))) + 1), path)
FROM (SELECT id, parent, CAST(name AS TEXT) AS path FROM node) ORDER BY id;

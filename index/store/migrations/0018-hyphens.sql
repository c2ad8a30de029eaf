-- SPDX-License-Identifier: GPL-3.0-or-later
-- Two words of a name that a hyphen joins are also found as one (index/text/word-hyphen.h). FTS5 drops
-- the deletion of a term that a row does not have. Roots and pages keep their words.
INSERT INTO name(name, rowid, entry)
SELECT 'delete', id, CAST(name AS TEXT) FROM node
WHERE CAST(name AS TEXT) GLOB '*[-' || char(8208, 8209) || ']*' AND instr(name, x'2f') = 0;
INSERT INTO name(rowid, entry)
SELECT id, CAST(name AS TEXT) FROM node
WHERE CAST(name AS TEXT) GLOB '*[-' || char(8208, 8209) || ']*' AND instr(name, x'2f') = 0;

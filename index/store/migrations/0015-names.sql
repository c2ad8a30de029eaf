-- SPDX-License-Identifier: GPL-3.0-or-later
-- A byte of a name that is not UTF-8 separated words; now it is the character of Windows-1252
-- (index/text/name-bytes.h). Roots keep their words.
INSERT INTO name(name, rowid, entry)
SELECT 'delete', id, name_with_gaps(name) FROM node WHERE name_with_gaps(name) IS NOT NULL AND substr(name, 1, 1) <> x'2f';
INSERT INTO name(rowid, entry)
SELECT id, CAST(name AS TEXT) FROM node WHERE name_with_gaps(name) IS NOT NULL AND substr(name, 1, 1) <> x'2f';
INSERT INTO gram(gram, rowid, entry)
SELECT 'delete', id, name_with_gaps(name) FROM node
WHERE name_with_gaps(name) IS NOT NULL AND id <= (SELECT value FROM meta WHERE key = 'gram_nodes');
INSERT INTO gram(rowid, entry)
SELECT id, CAST(name AS TEXT) FROM node
WHERE name_with_gaps(name) IS NOT NULL AND id <= (SELECT value FROM meta WHERE key = 'gram_nodes');

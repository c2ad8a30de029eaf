-- SPDX-License-Identifier: GPL-3.0-or-later
-- Latent semantics take less room: words in more parts, vectors in blocks. They are learned again.
DELETE FROM meaning_word;
DROP TABLE IF EXISTS meaning_document;
-- The vectors of documents in this model, those of 16 ids in a row: block is the id divided by 16, present has the bit of
-- each remainder whose document has a vector, in the order of their ids. Documents without words of the model have none.
CREATE TABLE IF NOT EXISTS meaning_vector(
	block INTEGER PRIMARY KEY,
	present INTEGER NOT NULL,
	vectors BLOB NOT NULL -- of 32 signed bytes each (index/meaning/vector.h)
);
DELETE FROM meta WHERE key IN ('meaning', 'meaning_gone');

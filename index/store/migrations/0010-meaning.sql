-- SPDX-License-Identifier: GPL-3.0-or-later
-- Latent semantics (index/meaning), learned from the texts; empty until there are enough. The words of the
-- model: a part for each of the 256 first bytes of their hashes (index/meaning/model.h).
CREATE TABLE IF NOT EXISTS meaning_word(
	part INTEGER PRIMARY KEY,
	words BLOB NOT NULL
);

-- The vectors of documents in this model; documents without words of the model have no row.
CREATE TABLE IF NOT EXISTS meaning_document(
	document INTEGER PRIMARY KEY,
	vector BLOB NOT NULL -- 32 signed bytes (index/meaning/vector.h)
);

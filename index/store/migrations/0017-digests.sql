-- SPDX-License-Identifier: GPL-3.0-or-later
-- A start compares one number for each directory, instead of a row for each entry.
DROP TABLE IF EXISTS digest;
CREATE TABLE digest(
	directory INTEGER PRIMARY KEY,
	digest INTEGER NOT NULL
);

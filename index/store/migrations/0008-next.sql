-- SPDX-License-Identifier: GPL-3.0-or-later
-- All names have their grams; those of later ones are written for many at once.
INSERT OR REPLACE INTO meta
SELECT 'gram_' || name || 's', seq FROM sqlite_sequence WHERE name IN ('node', 'document');

-- SPDX-License-Identifier: GPL-3.0-or-later
-- Checksums are keyed. Without a key the writer makes one, and marks the checksums of all contents as unknown (index/store/db-key.h).
DELETE FROM meta WHERE key = 'checksum_key';

-- SPDX-License-Identifier: GPL-3.0-or-later
-- The plan of a host (index/write/write-web-host.c) no longer has a correction of the price, a sum of visits, and a pair
-- of floats without a use.
UPDATE web_host
SET revisit = CAST(substr(revisit, 1, 16) || substr(revisit, 33, 4 + 11 * 8) || substr(revisit, 133) AS BLOB)
WHERE revisit IS NOT NULL;

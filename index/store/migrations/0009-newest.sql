-- SPDX-License-Identifier: GPL-3.0-or-later
-- Documents in the order of their date.
CREATE INDEX IF NOT EXISTS inode_newest ON inode(mtime_ns, content) WHERE content IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_newest ON document(date) WHERE date <> 0;
CREATE INDEX IF NOT EXISTS fact_newest ON fact(mtime_ns) WHERE mtime_ns IS NOT NULL;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-key.h"
#include "index/write/writer-private.h"

#define ENTRY_COLUMNS                                                                              \
	"n.id, n.parent, n.inode, i.filesystem, i.ino, i.birth_ns, i.kind, i.size, i.mtime_ns, "   \
	"i.ctime_ns, "                                                                             \
	"i.uid, i.gid, i.mode, i.content, i.state"
#define WEB_PAGE_COLUMNS "inode, source, kind, flags, url, file, offset, length"
/* as the index fact_flawed has it */
#define SQL_FACT_FLAWED "(f.state = " SQL_STATE_FAILED " OR f.truncated <> 0)"
#define ENTRY_FROM " FROM node n CROSS JOIN inode i ON i.id = n.inode "

/* No statement uses RETURNING, SAVEPOINT, INSERT..SELECT, or INSERT OR REPLACE into a table with an
 * index: each would flush the terms that FTS5 collects. */
static const char *const sql[N_STATEMENTS] = {
        [FILESYSTEM_FIND] = "SELECT id FROM filesystem WHERE identity = ?1",
        [FILESYSTEM_ADD] = "INSERT INTO filesystem(identity, type) VALUES(?1, ?2)",
        [FILESYSTEM_RENAME] = "UPDATE filesystem SET identity = ?2 WHERE id = ?1",
        [NODE_LOOKUP] = "SELECT " ENTRY_COLUMNS ENTRY_FROM "WHERE n.parent = ?1 AND n.name = ?2",
        [NODE_GET] = "SELECT " ENTRY_COLUMNS ENTRY_FROM "WHERE n.id = ?1",
        [NODE_NAME] = "SELECT parent, name FROM node WHERE id = ?1",
        [NODE_CHILDREN] = "SELECT " ENTRY_COLUMNS ", n.name" ENTRY_FROM
                          "WHERE n.parent = ?1 ORDER BY n.name LIMIT ?2",
        [NODE_NEWEST_PARENTS] = "SELECT n.parent FROM inode i INDEXED BY inode_newest "
                                "CROSS JOIN node n ON n.inode = i.id "
                                "WHERE i.content IS NOT NULL AND i.mtime_ns <= ?1 "
                                "ORDER BY i.mtime_ns DESC LIMIT ?2",
        [NODE_CHILD_BATCH] =
                "SELECT n.id, n.inode, i.kind, n.name" ENTRY_FROM "WHERE n.parent = ?1 LIMIT 256",
        [NODE_OF_IDENTITY] =
                "SELECT n.id FROM inode i CROSS JOIN node n ON n.inode = i.id "
                "WHERE i.filesystem = ?1 AND i.ino = ?2 AND i.birth_ns = ?3 ORDER BY n.id LIMIT ?4",
        [NODE_ADD] = "INSERT INTO node(parent, name, inode) VALUES(?1, ?2, ?3)",
        [NODE_MOVE] = "UPDATE node SET parent = ?2, name = ?3 WHERE id = ?1",
        [NODE_SET_INODE] = "UPDATE node SET inode = ?2 WHERE id = ?1",
        [NODE_DELETE] = "DELETE FROM node WHERE id = ?1",
        [DIGEST_GET] = "SELECT digest FROM digest WHERE directory = ?1",
        [DIGEST_SET] = "INSERT INTO digest(directory, digest) VALUES(?1, ?2) "
                       "ON CONFLICT(directory) DO UPDATE SET digest = ?2",
        [DIGEST_DELETE] = "DELETE FROM digest WHERE directory = ?1",
        [DIGEST_DELETE_OF_NODE] = "DELETE FROM digest WHERE directory = "
                                  "(SELECT parent FROM node WHERE id = ?1)",
        [DIGEST_DELETE_OF_INODE] = "DELETE FROM digest WHERE directory IN "
                                   "(SELECT parent FROM node WHERE inode = ?1)",
        [DIGEST_ANY] = "SELECT count(*) FROM (SELECT 1 FROM digest LIMIT 1)",
        [NAME_ADD] = "INSERT INTO name(rowid, entry) VALUES(?1, ?2)",
        [NAME_DELETE] = "INSERT INTO name(name, rowid, entry) VALUES('delete', ?1, ?2)",
        [GRAM_ADD] = "INSERT INTO gram(rowid, entry) VALUES(?1, ?2)",
        [GRAM_DELETE] = "INSERT INTO gram(gram, rowid, entry) VALUES('delete', ?1, ?2)",
        [INODE_ADD] =
                "INSERT INTO inode(filesystem, ino, birth_ns, kind, size, mtime_ns, ctime_ns, uid, "
                "gid, mode, state) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
                "ON CONFLICT(filesystem, ino, birth_ns) DO NOTHING",
        [INODE_RENUMBER] = "UPDATE OR IGNORE inode SET filesystem = ?2, ino = ?3, birth_ns = ?4 "
                           "WHERE id = ?1",
        [INODE_FIND] =
                "SELECT 0, 0, i.id, i.filesystem, i.ino, i.birth_ns, i.kind, i.size, i.mtime_ns, "
                "i.ctime_ns, i.uid, i.gid, i.mode, i.content, i.state FROM inode i "
                "WHERE i.filesystem = ?1 AND i.ino = ?2 AND i.birth_ns = ?3",
        [INODE_GET] =
                "SELECT 0, 0, i.id, i.filesystem, i.ino, i.birth_ns, i.kind, i.size, i.mtime_ns, "
                "i.ctime_ns, i.uid, i.gid, i.mode, i.content, i.state FROM inode i WHERE i.id = ?1",
        [INODE_CONTENT] = "SELECT content, state FROM inode WHERE id = ?1",
        [INODE_NODES] = "SELECT count(*) FROM node WHERE inode = ?1",
        [INODE_SET_STAT] =
                "UPDATE inode SET kind = ?2, size = ?3, mtime_ns = ?4, ctime_ns = ?5, uid = ?6, "
                "gid = ?7, mode = ?8 WHERE id = ?1",
        [INODE_SET_PENDING] = "UPDATE inode SET state = " SQL_INODE_PENDING
                              ", reason = " SQL_REASON_NONE ", tries = 0, detail = NULL "
                              "WHERE id = ?1",
        [INODE_SET_STATE] = "UPDATE inode SET state = ?2, reason = ?3, detail = ?4, "
                            "tries = tries + (?2 = " SQL_INODE_FAILED ") WHERE id = ?1",
        [INODE_SET_CONTENT] = "UPDATE inode SET content = ?2, state = " SQL_INODE_DONE
                              ", reason = " SQL_REASON_NONE ", tries = 0, "
                              "detail = NULL WHERE id = ?1",
        [INODE_RELEASE] = "DELETE FROM inode WHERE id = ?1 AND NOT EXISTS "
                          "(SELECT 1 FROM node WHERE inode = ?1)",
        [INODE_ATTEMPT] = "UPDATE inode SET tries = tries + 1 WHERE id = ?1",
        [INODE_TRIES] = "SELECT tries FROM inode WHERE id = ?1",
        [INODE_PENDING_COUNT] = "SELECT count(*) FROM inode WHERE state <> " SQL_INODE_DONE
                                " AND state = " SQL_INODE_PENDING,
        [NODE_PENDING_COUNT] =
                "SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
                "WHERE i.state <> " SQL_INODE_DONE " AND i.state = " SQL_INODE_PENDING,
        [INODE_PENDING_LIST] =
                "SELECT " ENTRY_COLUMNS " FROM inode i CROSS JOIN node n ON n.id = "
                "(SELECT min(id) FROM node WHERE inode = i.id) "
                "WHERE i.state <> " SQL_INODE_DONE " AND i.state = " SQL_INODE_PENDING
                " AND i.kind = " SQL_ENTRY_FILE " AND (i.mtime_ns, i.id) < (?1, ?2) "
                "ORDER BY i.mtime_ns DESC, i.id DESC",
        [INODE_PENDING_OTHERS] = "SELECT id FROM inode WHERE state <> " SQL_INODE_DONE
                                 " AND state = " SQL_INODE_PENDING " AND kind <> " SQL_ENTRY_FILE,
        /* a content whose checksum is unknown would not be superseded */
        [INODE_DEFERRED_LIST] =
                "SELECT " ENTRY_COLUMNS
                " FROM meta m CROSS JOIN content c ON c.id = m.value AND length(c.checksum) = 16 "
                "CROSS JOIN inode i ON i.content = c.id CROSS JOIN node n "
                "ON n.id = (SELECT min(id) FROM node WHERE inode = i.id) "
                "WHERE m.key >= 'later ' AND m.key < 'later!' AND i.state = " SQL_INODE_DONE " "
                "ORDER BY i.mtime_ns DESC",
        [INODE_OF_CONTENT_NEXT] = "SELECT " ENTRY_COLUMNS " FROM inode i CROSS JOIN node n "
                                  "ON n.id = (SELECT min(id) FROM node WHERE inode = i.id) "
                                  "WHERE i.content = ?1 AND i.id > ?2 AND "
                                  "i.state = " SQL_INODE_DONE " ORDER BY i.id LIMIT 1",
        [INODE_OF_CONTENT_PENDING] = "UPDATE inode SET state = " SQL_INODE_PENDING
                                     " WHERE content = ?1 AND state = " SQL_INODE_DONE,
        [INODE_RETRY] = "UPDATE inode SET state = " SQL_INODE_PENDING
                        " WHERE state <> " SQL_INODE_DONE " AND state = " SQL_INODE_FAILED
                        " AND kind = " SQL_ENTRY_FILE " AND (?1 = 0 OR id = ?1)",
        [INODE_RETRY_REASON] =
                "UPDATE inode SET state = " SQL_INODE_PENDING " WHERE state <> " SQL_INODE_DONE
                " AND state = " SQL_INODE_FAILED " AND kind = " SQL_ENTRY_FILE " AND reason = ?1",
        [INODE_LARGER_PENDING] =
                "UPDATE inode SET state = " SQL_INODE_PENDING " WHERE state = " SQL_INODE_DONE
                " AND kind = " SQL_ENTRY_FILE " AND content IS NOT NULL AND size > ?1",
        [INODE_MOVE_CONTENT] = "UPDATE inode SET content = ?2 WHERE content = ?1",
        /* tries < 0: it must be converted again, so it counts as unknown */
        [CONTENT_FIND] =
                "SELECT id FROM content WHERE checksum = ?1 AND state <> " SQL_STATE_UNFINISHED
                " AND tries >= 0",
        [CONTENT_BY_CHECKSUM] = "SELECT id, state, tries FROM content WHERE checksum = ?1",
        [CONTENT_SET_CHECKSUM] = "UPDATE content SET checksum = ?2 WHERE id = ?1",
        /* no extractor yet, and not in the index of those that have none */
        [CONTENT_ADD] = "INSERT INTO content(checksum, size, extractor, state, tries) "
                        "VALUES(?1, ?2, '', " SQL_STATE_OK ", ?3)",
        [CONTENT_SET_UNFINISHED] =
                "UPDATE content SET state = " SQL_STATE_UNFINISHED " WHERE id = ?1",
        [CONTENT_END] = "UPDATE content SET mime = ?2, extractor = ?3, version = ?4, state = ?5, "
                        "reason = ?6, detail = ?7 WHERE id = ?1",
        [CONTENT_RELEASE] = "DELETE FROM content WHERE id = ?1 AND NOT EXISTS "
                            "(SELECT 1 FROM inode WHERE content = ?1)",
        [CONTENT_DELETE] = "DELETE FROM content WHERE id = ?1",
        [CONTENT_UNFINISHED] = "SELECT id FROM content WHERE state <> " SQL_STATE_OK
                               " AND state = " SQL_STATE_UNFINISHED,
        [CONTENT_SUPERSEDED] = "SELECT id FROM content WHERE " DB_KEY_SQL_MARKED(
                DB_KEY_OLD, "CAST('" DB_KEY_OLD "' AS BLOB)"),
        [CONTENT_ABANDONED] = "SELECT id FROM content c WHERE id > ?1 AND id <= ?2 "
                              "AND state <> " SQL_STATE_UNFINISHED " AND NOT EXISTS "
                              "(SELECT 1 FROM inode WHERE content = c.id)",
        [CONTENT_LAST] = "SELECT max(id) FROM content",
        [CONTENT_OUTDATED] =
                "SELECT id FROM content WHERE extractor = ?1 AND version <> ?2 AND tries >= 0",
        [CONTENT_OF_CONTAINERS] =
                "SELECT id FROM content WHERE tries >= 0 AND extractor IN "
                "(SELECT DISTINCT c.extractor FROM fact f "
                "CROSS JOIN document d ON d.id = f.document "
                "CROSS JOIN content c ON c.id = d.content WHERE f.member IS NOT NULL)",
        [CONTENT_UNSUPPORTED] =
                "SELECT id FROM content WHERE state <> " SQL_STATE_OK " AND extractor IS NULL "
                "AND mime = ?1 AND tries >= 0",
        [CONTENT_UNRECOGNIZED] = "SELECT c.id FROM content c WHERE c.state <> " SQL_STATE_OK
                                 " AND c.extractor IS NULL AND c.mime = 'application/octet-stream' "
                                 "AND c.tries >= 0 AND EXISTS "
                                 "(SELECT 1 FROM inode i WHERE i.content = c.id AND i.size <= ?1)",
        [CONTENT_FAILED] =
                "SELECT id FROM content WHERE state <> " SQL_STATE_OK
                " AND state = " SQL_STATE_FAILED " AND tries >= 0 UNION "
                "SELECT d.content FROM fact f CROSS JOIN document d ON d.id = f.document "
                "CROSS JOIN content c ON c.id = d.content "
                "WHERE " SQL_FACT_FLAWED " AND c.tries >= 0",
        [CONTENT_OF_REASON] =
                "SELECT id FROM content WHERE state <> " SQL_STATE_OK
                " AND state = " SQL_STATE_FAILED " AND reason = ?1 AND tries >= 0 UNION "
                "SELECT d.content FROM fact f CROSS JOIN document d ON d.id = f.document "
                "CROSS JOIN content c ON c.id = d.content "
                "WHERE " SQL_FACT_FLAWED " AND f.reason = ?1 AND c.tries >= 0",
        [CONTENT_OF_INODE] = "SELECT c.id FROM inode i CROSS JOIN content c ON c.id = i.content "
                             "WHERE i.id = ?1 AND c.tries >= 0 AND (c.state = " SQL_STATE_FAILED
                             " OR EXISTS (SELECT 1 FROM "
                             "document d CROSS JOIN fact f ON f.document = d.id "
                             "WHERE d.content = c.id AND " SQL_FACT_FLAWED "))",
        [CONTENT_REQUEUE] = "UPDATE content SET tries = -1 - tries WHERE id = ?1 AND tries >= 0",
        [CONTENT_REHASH_NEXT] = "SELECT id FROM content WHERE " DB_KEY_SQL_MARKED(
                DB_KEY_REHASH, "?1") " ORDER BY checksum LIMIT 1",
        [CONTENT_REHASH_SHARED] = "UPDATE content SET checksum = " DB_KEY_SQL_MARK(
                DB_KEY_REHASH) " WHERE length(checksum) = 16 AND state <> " SQL_STATE_UNFINISHED
                               " AND id IN "
                               "(SELECT content FROM inode WHERE content IS NOT NULL GROUP BY 1 "
                               "HAVING count(*) > 1)",
        [DOCUMENT_ADD] = "INSERT INTO document(content, words, date) VALUES(?1, ?2, ?3)",
        [DOCUMENT_SUMS] =
                "SELECT count(*), sum(d.words > 0), sum(f.text_bytes), sum(f.truncated) "
                "FROM document d CROSS JOIN fact f ON f.document = d.id WHERE d.content = ?1",
        [DOCUMENT_IDS] = "SELECT id FROM document WHERE content = ?1 ORDER BY id",
        [DOCUMENT_NEXT] = "SELECT id FROM document WHERE content = ?1 AND id > ?2 ORDER BY id "
                          "LIMIT 1",
        [DOCUMENT_TEXT] = "SELECT d.words, f.reason, f.text_checksum, p.bits FROM document d "
                          "CROSS JOIN fact f ON f.document = d.id "
                          "LEFT JOIN fingerprint p ON p.document = d.id WHERE d.id = ?1",
        [DOCUMENT_MEMBER] = "SELECT member FROM fact WHERE document = ?1 AND member IS NOT NULL",
        [DOCUMENT_CONTENT] = "SELECT content FROM document WHERE id = ?1",
        [DOCUMENT_MEMBERS] = "SELECT document, member FROM fact WHERE member IS NOT NULL",
        [DOCUMENT_HIDE] = "UPDATE document SET content = ?2 WHERE content = ?1",
        [DOCUMENT_DELETE] = "DELETE FROM document WHERE id = ?1",
        [FACT_ADD] = "INSERT INTO fact(document, member, mime, size, mtime_ns, title, author, "
                     "lang, pages, seconds, state, reason, truncated, detail, text_bytes, "
                     "text_checksum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
                     "?13, ?14, ?15, ?16)",
        [FACT_DELETE] = "DELETE FROM fact WHERE document = ?1",
        [FINGERPRINT_ADD] = "INSERT INTO fingerprint VALUES(?1, ?2)",
        [FINGERPRINT_DELETE] = "DELETE FROM fingerprint WHERE document = ?1",
        [MEANING_WORD_ADD] = "INSERT INTO meaning_word VALUES(?1, ?2)",
        [MEANING_WORD_LIST] = "SELECT part, words FROM meaning_word",
        [MEANING_WORD_CLEAR] = "DELETE FROM meaning_word",
        [MEANING_BLOCK] = "SELECT present, vectors FROM meaning_vector WHERE block = ?1",
        [MEANING_BLOCK_SET] = "INSERT INTO meaning_vector VALUES(?1, ?2, ?3) ON CONFLICT DO UPDATE "
                              "SET present = excluded.present, vectors = excluded.vectors",
        [MEANING_BLOCK_DELETE] = "DELETE FROM meaning_vector WHERE block = ?1",
        [MEANING_CLEAR] = "DELETE FROM meaning_vector",
        [MEANING_OF_DOCUMENT] = "SELECT id FROM document WHERE id = ?1",
        [LINK_ADD] = "INSERT OR REPLACE INTO link VALUES(?1, ?2)",
        [LINK_DELETE] = "DELETE FROM link WHERE content = abs(?1)",
        [ROOT_HOLDS] = "SELECT 1 FROM node WHERE parent = 0 AND "
                       "substr(?1, 1, length(name) + 1) = CAST(name || '/' AS BLOB) LIMIT 1",
        [SOURCE_HOLDS] = "SELECT 1 FROM node WHERE parent = 0 AND name >= ?1 AND name < ?2 LIMIT 1",
        [TEXT_ADD] =
                "INSERT INTO text(rowid, body, title, heading, author, recipient, cc, keyword, "
                "comment, member, noise) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        [TEXT_DELETE] = "INSERT INTO text(text, rowid, body, title, heading, author, recipient, "
                        "cc, keyword, "
                        "comment, member, noise) "
                        "VALUES('delete', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        [TEXT_CONFIGURE] = "INSERT INTO text(text, rank) VALUES(?1, ?2)",
        [TEXT_MERGE] = "INSERT INTO text(text, rank) VALUES('merge', ?1)",
        [NAME_MERGE] = "INSERT INTO name(name, rank) VALUES('merge', ?1)",
        [NAME_CONFIGURE] = "INSERT INTO name(name, rank) VALUES(?1, ?2)",
        [GRAM_MERGE] = "INSERT INTO gram(gram, rank) VALUES('merge', ?1)",
        [GRAM_CONFIGURE] = "INSERT INTO gram(gram, rank) VALUES(?1, ?2)",
        [TEXT_LAST] = "SELECT seq FROM sqlite_sequence WHERE name = 'document'",
        [NAME_LAST] = "SELECT seq FROM sqlite_sequence WHERE name = 'node'",
        [NODE_WITHOUT_GRAMS] = "SELECT id, name FROM node WHERE id > ?1 ORDER BY id",
        [MEMBER_WITHOUT_GRAMS] = "SELECT -document, member FROM fact "
                                 "WHERE document > ?1 AND member IS NOT NULL "
                                 "ORDER BY document DESC",
        [TEXT_TOMBSTONES] = "SELECT rowid FROM text WHERE rowid > ?1 AND "
                            "NOT EXISTS (SELECT 1 FROM document d WHERE d.id = text.rowid) "
                            "ORDER BY rowid",
        [TEXT_TOMBSTONES_BETWEEN] = "SELECT rowid FROM text WHERE rowid > ?1 AND rowid <= ?2 AND "
                                    "NOT EXISTS (SELECT 1 FROM document d WHERE d.id = text.rowid)",
        [TEXT_TERMS] = "SELECT term, doc, col FROM temp.text_terms WHERE term >= ?1",
        [FREE_PAGES] = "PRAGMA freelist_count",
        [ALL_PAGES] = "PRAGMA page_count",
        [META_GET] = "SELECT value FROM meta WHERE key = ?1",
        [META_SET] = "INSERT INTO meta VALUES(?1, ?2) ON CONFLICT DO UPDATE SET value = ?2",
        [DEFERRED_ADD] = "INSERT INTO meta VALUES('later ' || ?1, ?1) ON CONFLICT DO NOTHING",
        [DEFERRED_DELETE] = "DELETE FROM meta WHERE key = 'later ' || abs(?1)",
        /* an outdated content is converted again anyway */
        [SIGNS_NEXT] = "SELECT id FROM content c WHERE id > (SELECT value FROM meta "
                       "WHERE key = 'signs_done') AND id <= (SELECT value FROM meta "
                       "WHERE key = 'signs_last') AND tries >= 0 AND EXISTS (SELECT 1 "
                       "FROM document WHERE content = c.id AND words > 0) ORDER BY id LIMIT 1",
        [SIGNS_FORGET] = "DELETE FROM meta WHERE key IN ('signs_done', 'signs_last')",
        [SIGNS_DONE] = "UPDATE meta SET value = max(value, ?1) WHERE key = 'signs_done'",
        [SIGNS_LEAVE] = "INSERT INTO meta VALUES(printf('signs_left %020d', ?1), ?1) "
                        "ON CONFLICT DO NOTHING",
        [SIGNS_LEFT_NEXT] = "SELECT value FROM meta WHERE key > printf('signs_left %020d', ?1) "
                            "AND key < 'signs_left!' ORDER BY key LIMIT 1",
        [SIGNS_LEFT_DELETE] = "DELETE FROM meta WHERE key = printf('signs_left %020d', ?1)",
        [WEB_SOURCE_ADD] = "INSERT INTO web_source(host, prefix, pages_most, depth_most, "
                           "bytes_most, every_s) VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON "
                           "CONFLICT(host, prefix) DO UPDATE SET pages_most = ?3, "
                           "depth_most = ?4, bytes_most = ?5, every_s = ?6",
        [WEB_SOURCE_FIND] = "SELECT id FROM web_source WHERE host = ?1 AND prefix = ?2",
        [WEB_SOURCE_LIST] = "SELECT id, host, prefix, pages_most, depth_most, bytes_most, "
                            "every_s, urls, pages, bytes FROM web_source ORDER BY id",
        [WEB_SOURCE_COUNT] =
                "UPDATE web_source SET urls = ?2, pages = ?3, bytes = ?4 WHERE id = ?1",
        [WEB_SOURCE_NAME] = "INSERT INTO web_root(source, url, is_feed, node) VALUES(?1, ?2, ?3, "
                            "?4) ON CONFLICT DO UPDATE SET url = ?2, is_feed = ?3, node = ?4",
        [WEB_SOURCE_NAMED] = "SELECT source, node, url, is_feed FROM web_root ORDER BY source",
        [WEB_SOURCE_NODE] = "SELECT node FROM web_root WHERE source = ?1",
        [WEB_SOURCE_ANSWERED] = "UPDATE web_root SET visited_s = ?2 WHERE source = ?1",
        [WEB_SOURCE_FAILED] = "UPDATE web_root SET failed_s = ?2, failure = ?3 WHERE source = ?1",
        [WEB_SOURCE_FAILED_NO_MORE] = "UPDATE web_root SET failed_s = 0, failure = NULL WHERE "
                                      "source = ?1 AND failure = ?2",
        [WEB_SOURCE_PAGES] =
                "SELECT n.id, p.url FROM web_page p CROSS JOIN node n ON n.inode = p.inode "
                "WHERE p.source = ?1 LIMIT ?2",
        [WEB_SOURCE_FORGET] = "DELETE FROM web_root WHERE source = ?1",
        [WEB_PAGE_SET] = "INSERT INTO web_page VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT "
                         "DO UPDATE SET source = ?2, kind = ?3, flags = ?4, url = ?5, file = ?6, "
                         "offset = ?7, length = ?8",
        [WEB_PAGE_GET] = "SELECT " WEB_PAGE_COLUMNS " FROM web_page WHERE inode = ?1",
        [WEB_PAGE_OF_IDENTITY] =
                "SELECT " ENTRY_COLUMNS " FROM inode i CROSS JOIN node n ON n.inode = i.id "
                "WHERE i.filesystem = ?1 AND i.ino = ?2 AND i.birth_ns = 0",
        [WEB_PAGE_RENAME] = "UPDATE inode SET ino = ?2 WHERE id = ?1",
        [WEB_PAGE_DELETE] = "DELETE FROM web_page WHERE inode = ?1",
        [WEB_PAGE_LAST] = "SELECT file, offset, length FROM web_page WHERE source = ?1 "
                          "ORDER BY file DESC, offset DESC LIMIT 1",
        [WEB_PAGE_IN_FILE] = "SELECT " WEB_PAGE_COLUMNS
                             " FROM web_page WHERE source = ?1 AND file = ?2 LIMIT ?3",
        [WEB_PAGE_AFTER] = "SELECT " WEB_PAGE_COLUMNS " FROM web_page WHERE source = ?1 AND "
                           "inode > ?2 ORDER BY inode LIMIT ?3",
        [WEB_PAGE_LIVE] = "SELECT CAST(total(max(0, length)) AS INTEGER) FROM web_page "
                          "WHERE source = ?1 AND file = ?2",
        [WEB_HOST_ADD] = "INSERT INTO web_host(name) VALUES(?1) ON CONFLICT DO NOTHING",
        [WEB_HOST_FIND] = "SELECT id FROM web_host WHERE name = ?1",
        [WEB_HOST_LIST] = "SELECT id, name, address, next_ms, wait_ms, server_ms, "
                          "server_wait_ms, feed_ms, delay_ms, backoff, robots, robots_s, asked, "
                          "asked_ms, day_most, revisit FROM web_host ORDER BY id",
        [WEB_HOST_SET] =
                "UPDATE web_host SET address = ?2, next_ms = ?3, wait_ms = ?4, server_ms = ?5, "
                "server_wait_ms = ?6, feed_ms = ?7, delay_ms = ?8, backoff = ?9, robots = ?10, "
                "robots_s = ?11, asked = ?12, asked_ms = ?13, day_most = ?14, revisit = ?15 "
                "WHERE id = ?1",
        [WEB_URL_ADD] = "INSERT INTO web_url VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?9, ?8) "
                        "ON CONFLICT DO NOTHING",
        [WEB_URL_RAISE] = "UPDATE web_url SET priority = min(priority + ?4, ?3) "
                          "WHERE host = ?1 AND hash = ?2 AND priority < ?3 AND status = 0",
        /* 1 to 3 are held, or an alias */
        [WEB_URL_ENDED] = "SELECT EXISTS(SELECT 1 FROM web_url WHERE host = ?1 AND hash = ?2 AND "
                          "due IS NULL AND (status = 0 OR status >= 300))",
        [WEB_URL_GET] = "SELECT path, kind, priority, depth, due, status, visit FROM web_url "
                        "WHERE host = ?1 AND hash = ?2",
        [WEB_URL_SET] = "UPDATE web_url SET priority = ?3, due = ?4, status = ?5, visit = ?6 "
                        "WHERE host = ?1 AND hash = ?2",
        [WEB_URL_VISITS] = "SELECT visit FROM web_url WHERE host = ?1 AND due IS NOT NULL AND "
                           "visit IS NOT NULL",
        /* a moment too far away comes from a clock that was wrong */
        [WEB_URL_NEXT] =
                "SELECT hash, iif(due > ?3, 0, due) AS moment, priority, kind, status FROM web_url "
                "WHERE host = ?1 AND due IS NOT NULL "
                "ORDER BY max(moment, ?2), priority DESC, moment, depth LIMIT ?4",
        [WEB_URL_EACH_NEXT] =
                "SELECT hash, iif(due > ?2, 0, due), priority, kind, status, path FROM web_url "
                "WHERE host = ?1 AND due IS NOT NULL",
        [WEB_BRANCH_GET] = "SELECT pages, poor FROM web_branch WHERE host = ?1 AND shape = ?2",
        [WEB_BRANCH_COUNT] = "INSERT INTO web_branch VALUES(?1, ?2, ?3, ?4) ON CONFLICT "
                             "DO UPDATE SET pages = pages + ?3, poor = poor + ?4",
        [WEB_ROBOTS_GET] = "SELECT rules FROM web_robots WHERE host = ?1",
        [WEB_ROBOTS_SET] = "INSERT INTO web_robots VALUES(?1, ?2) ON CONFLICT "
                           "DO UPDATE SET rules = ?2",
        [WEB_ROBOTS_DROP] = "DELETE FROM web_robots WHERE host = ?1",
        [WEB_URL_HELD] = "SELECT EXISTS(SELECT 1 FROM web_url WHERE host = ?1 AND "
                         "status IN (?2, ?3) AND due IS NULL)",
        [WEB_URL_RELEASE] = "UPDATE web_url SET due = 0, status = iif(status = ?2, 0, 200) "
                            "WHERE host = ?1 AND status IN (?2, ?3) AND due IS NULL",
        [WEB_SCOPE_GET] = "SELECT patterns, probed, probe FROM web_scope WHERE source = ?1",
        [WEB_SCOPE_SET] = "INSERT INTO web_scope VALUES(?1, ?2, ?3, ?4) ON CONFLICT "
                          "DO UPDATE SET patterns = ?2, probed = ?3, probe = ?4",
        [WEB_SOURCE_DROP] = "DELETE FROM web_source WHERE id = ?1",
        [WEB_SCOPE_DROP] = "DELETE FROM web_scope WHERE source = ?1",
        /* a sitemap may lie anywhere on the host (?2: its kind) */
        [WEB_URL_DROP] = "DELETE FROM web_url WHERE host = ?1 AND NOT EXISTS(SELECT 1 FROM "
                         "web_source s WHERE s.host = ?1 AND (kind = ?2 OR "
                         "web_site_has(prefix, web_path(path))))",
        [WEB_URL_FORGET] = "DELETE FROM web_url WHERE host = ?1 AND hash = ?2 AND kind = ?3",
        [WEB_ITEM_FORGET] = "DELETE FROM web_url WHERE host = ?1 AND kind = ?2 AND "
                            "web_site_has(?3, web_path(path))",
        [WEB_BRANCH_DROP] = "DELETE FROM web_branch WHERE host = ?1",
        [WEB_HOST_DROP] = "DELETE FROM web_host WHERE id = ?1",
        [WEB_BRANCH_POOR] = "UPDATE web_branch SET poor = min(pages, poor + 1) "
                            "WHERE host = ?1 AND shape = ?2",
        [WEB_RULE_LIST] = "SELECT id, kind, ends, former, latter, support, tried, equal, state, "
                          "saved, tested FROM web_rule WHERE source = ?1 ORDER BY id",
        [WEB_RULE_ADD] = "INSERT INTO web_rule(source, kind, ends, former, latter, support, "
                         "tried, equal, state, saved, tested) "
                         "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10)",
        [WEB_RULE_SET] = "UPDATE web_rule SET support = ?2, tried = ?3, equal = ?4, state = ?5, "
                         "tested = ?6 WHERE id = ?1",
        [WEB_RULE_SAVED] = "UPDATE web_rule SET saved = saved + 1 WHERE id = ?1",
        [WEB_RULE_DROP] = "DELETE FROM web_rule WHERE source = ?1",
        [WEB_LESSON_GET] = "SELECT pages, walk FROM web_lesson WHERE source = ?1",
        [WEB_LESSON_SET] = "INSERT OR REPLACE INTO web_lesson VALUES(?1, ?2, ?3)",
        [WEB_LESSON_DROP] = "DELETE FROM web_lesson WHERE source = ?1",
        [WEB_URL_AFTER] = "SELECT path, kind, priority, depth, due, status, visit, hash "
                          "FROM web_url WHERE host = ?1 AND hash > ?2 ORDER BY hash LIMIT ?3",
        [WEB_PRINT_AFTER] =
                "SELECT p.inode, p.file, p.offset, p.url, i.size, f.text_checksum, g.bits "
                "FROM web_page p CROSS JOIN inode i ON i.id = p.inode AND i.state = 0 "
                "CROSS JOIN document d ON d.content = i.content "
                "CROSS JOIN fact f ON f.document = d.id AND f.member IS NULL "
                "LEFT JOIN fingerprint g ON g.document = d.id WHERE p.source = ?1 AND "
                "(p.file, p.offset, p.inode) > (?2, ?3, ?4) AND p.kind <> ?5 "
                "ORDER BY p.file, p.offset, p.inode LIMIT ?6",
        [WEB_PRINT_OF_INODE] =
                "SELECT p.inode, p.file, p.offset, p.url, i.size, f.text_checksum, g.bits "
                "FROM web_page p CROSS JOIN inode i ON i.id = p.inode AND i.state = 0 "
                "CROSS JOIN document d ON d.content = i.content "
                "CROSS JOIN fact f ON f.document = d.id AND f.member IS NULL "
                "LEFT JOIN fingerprint g ON g.document = d.id WHERE p.inode = ?1",
        [CHANGE_ADD] = "INSERT INTO change(kind, id, time_ns) VALUES(?1, ?2, ?3)",
        [CHANGE_LAST] = "SELECT max(seq) FROM change",
        [CHANGE_TRIM] = "DELETE FROM change WHERE seq <= ?1",
        [CHANGE_CLEAR] = "DELETE FROM change",
        [CONSUMER_GET] = "SELECT seq FROM consumer WHERE name = ?1 AND lapsed = 0",
        [CONSUMER_SET] =
                "INSERT INTO consumer(name, seq, lapsed, heard_s, exposure_ms, failed_s, failure) "
                "VALUES(?1, ?2, 0, ?3, ?4, iif(?5 IS NULL, NULL, ?3), ?5) "
                "ON CONFLICT DO UPDATE SET seq = ?2, lapsed = 0, heard_s = ?3, "
                "exposure_ms = coalesce(?4, exposure_ms), "
                "failed_s = iif(?5 IS NULL, NULL, coalesce(failed_s, ?3)), failure = ?5",
        [CONSUMER_COUNT] = "SELECT count(*) FROM consumer WHERE name <> ?1",
        [CONSUMER_LEAST] = "SELECT seq FROM consumer WHERE lapsed = 0 ORDER BY seq LIMIT 1",
        [CONSUMER_LAPSE] = "UPDATE consumer SET lapsed = 1 WHERE lapsed = 0 AND seq < ?1",
        [CONSUMER_DROP] = "DELETE FROM consumer WHERE name = ?1",
        [META_ADD] = "INSERT INTO meta VALUES(?1, ?2) ON CONFLICT DO UPDATE SET value = value + ?2",
};

static bool bind_value(sqlite3_stmt *statement, int place, const Value *value)
{
	switch (value->kind) {
	case VALUE_INT:
		return sqlite3_bind_int64(statement, place, value->number) == SQLITE_OK;
	case VALUE_TEXT:
		return sqlite3_bind_text(statement, place, value->bytes, value->length,
		               SQLITE_STATIC) == SQLITE_OK;
	case VALUE_BLOB:
		return sqlite3_bind_blob(statement, place, value->bytes, value->length,
		               SQLITE_STATIC) == SQLITE_OK;
	default:
		return sqlite3_bind_null(statement, place) == SQLITE_OK;
	}
}

static sqlite3_stmt *statements_prepared(Writer *w, Statement id, GError **error)
{
	if (!w->statements[id] && sqlite3_prepare_v3(w->db, sql[id], -1, SQLITE_PREPARE_PERSISTENT,
	                                  &w->statements[id], NULL) != SQLITE_OK)
		writer_fail(w, error);
	return w->statements[id];
}

sqlite3_stmt *statement_bind(Writer *w, Statement id, const Value *values, size_t n, GError **error)
{
	sqlite3_stmt *statement = statements_prepared(w, id, error);
	if (!statement)
		return NULL;
	sqlite3_reset(statement);
	for (size_t i = 0; i < n; i++) {
		if (!bind_value(statement, i + 1, &values[i])) {
			writer_fail(w, error);
			return NULL;
		}
	}
	return statement;
}

int statement_row(Writer *w, Statement id, const Value *values, size_t n, sqlite3_stmt **row_r,
        GError **error)
{
	*row_r = statement_bind(w, id, values, n, error);
	if (!*row_r)
		return -1;
	int result = sqlite3_step(*row_r);
	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE)
		writer_fail(w, error);
	sqlite3_reset(*row_r);
	return result == SQLITE_DONE ? 0 : -1;
}

bool statement_run(Writer *w, Statement id, const Value *values, size_t n, GError **error)
{
	sqlite3_stmt *row;
	int result = statement_row(w, id, values, n, &row, error);
	if (result > 0)
		sqlite3_reset(row);
	return result >= 0;
}

bool statement_int(Writer *w, Statement id, const Value *values, size_t n, int64_t absent,
        int64_t *value_r, GError **error)
{
	sqlite3_stmt *row;
	int result = statement_row(w, id, values, n, &row, error);
	*value_r = result > 0 ? sqlite3_column_int64(row, 0) : absent;
	if (result > 0)
		sqlite3_reset(row);
	return result >= 0;
}

GArray *statement_ints(Writer *w, Statement id, const Value *values, size_t n, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, id, values, n, error);
	if (!row)
		return NULL;
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int result;
	while ((result = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t number = sqlite3_column_int64(row, 0);
		g_array_append_val(numbers, number);
	}
	if (result != SQLITE_DONE) {
		writer_fail(w, error);
		return NULL;
	}
	sqlite3_reset(row);
	return g_steal_pointer(&numbers);
}

void statements_reset(Writer *w)
{
	for (size_t i = 0; i < N_STATEMENTS; i++)
		sqlite3_reset(w->statements[i]);
}

void statements_finalize(Writer *w)
{
	for (size_t i = 0; i < N_STATEMENTS; i++)
		g_clear_pointer(&w->statements[i], sqlite3_finalize);
}

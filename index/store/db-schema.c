/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-schema.h"
#include "common/base/i18n.h"
#include "index/store/db.h"
#include "index/store/schema-sql.h"

bool db_schema_create(sqlite3 *db, GError **error)
{
	static const char head[] = "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;"
	                           "PRAGMA journal_mode = WAL;";
	g_autofree char *tail =
	        g_strdup_printf("PRAGMA application_id = %d; PRAGMA user_version = %d;"
	                        "INSERT INTO meta VALUES('created', unixepoch());"
	                        "INSERT INTO meta VALUES('identity', lower(hex(randomblob(16))));",
	                DB_APPLICATION_ID, DB_VERSION);
	if (!db_exec(db, head, error) || !db_exec(db, "BEGIN IMMEDIATE", error))
		return false;
	if (db_exec(db, schema_sql, error) && db_exec(db, tail, error) &&
	        db_exec(db, "COMMIT", error))
		return true;
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/* Whoever puts a view, a trigger, a virtual table or an expression into the file wants it to run in
 * our queries. So the file may hold only what schema.sql says, word for word, and what SQLite and
 * FTS5 add to it: automatic indexes, the table of sequences, the statistics of somebody's ANALYZE,
 * which change no answer, and FTS5's own tables, whose text is FTS5's affair; generated columns in
 * them are found by their structure. Every version of the schema had these texts: a migration that
 * changes one must add the old text to this check. */
bool db_schema_check(sqlite3 *db, GError **error)
{
	static const char sql[] =
	        "SELECT (SELECT count(*) FROM sqlite_schema WHERE (instr(?1, sql || ';') > 0 "
	        "OR (type = 'index' AND sql IS NULL) "
	        "OR sql = 'CREATE TABLE sqlite_sequence(name,seq)' "
	        "OR sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat)' "
	        "OR sql = 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' "
	        "OR sql GLOB 'CREATE TABLE ''text_[a-z]*''(*' "
	        "OR sql GLOB 'CREATE TABLE ''name_[a-z]*''(*' "
	        "OR sql GLOB 'CREATE TABLE ''gram_[a-z]*''(*') IS NOT TRUE) "
	        "+ (SELECT count(*) FROM sqlite_schema s, pragma_table_xinfo(s.name) "
	        "WHERE s.sql GLOB 'CREATE TABLE ''*' AND hidden > 1)";
	int64_t unexpected;
	if (!db_get_int(db, sql, schema_sql, &unexpected, error))
		return false;
	if (unexpected > 0)
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED,
		        _("the index holds what this program did not put into it"));
	return unexpected == 0;
}

bool db_schema_check_owner(sqlite3 *db, GError **error)
{
	int64_t id;
	if (!db_get_int(db, "PRAGMA application_id", NULL, &id, error))
		return false;
	if (id == DB_APPLICATION_ID)
		return true;
	g_set_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED, _("the file is not an index"));
	return false;
}

bool db_schema_check_ends(sqlite3 *db, GError **error)
{
	static const char *const probes[] = {"SELECT max(id) + min(id) FROM filesystem",
	        "SELECT max(id) + min(id) FROM node",
	        "SELECT count(*) FROM (SELECT 1 FROM node INDEXED BY node_inode ORDER BY inode "
	        "DESC LIMIT 1)",
	        "SELECT count(*) FROM (SELECT 1 FROM node ORDER BY parent DESC, name DESC LIMIT 1)",
	        "SELECT max(id) + min(id) FROM inode",
	        "SELECT count(*) FROM (SELECT 1 FROM inode ORDER BY filesystem DESC, ino DESC "
	        "LIMIT 1)",
	        "SELECT max(id) + min(id) FROM content", "SELECT max(checksum) FROM content",
	        "SELECT max(id) + min(id) FROM document", "SELECT max(content) FROM document",
	        "SELECT max(document) + min(document) FROM fact",
	        "SELECT max(id) + min(id) FROM web_source",
	        "SELECT max(id) + min(id) FROM web_host",
	        "SELECT count(*) FROM (SELECT 1 FROM web_url ORDER BY host DESC, hash DESC LIMIT "
	        "1)",
	        "SELECT count(*) FROM (SELECT 1 FROM web_branch ORDER BY host DESC LIMIT 1)",
	        "SELECT (SELECT rowid FROM text ORDER BY rowid LIMIT 1) + "
	        "(SELECT rowid FROM text ORDER BY rowid DESC LIMIT 1)",
	        "SELECT max(id) FROM text_data",
	        "SELECT (SELECT rowid FROM name ORDER BY rowid LIMIT 1) + "
	        "(SELECT rowid FROM name ORDER BY rowid DESC LIMIT 1)",
	        "SELECT max(id) FROM name_data", "SELECT max(id) FROM gram_data",
	        "SELECT count(*) FROM (SELECT rowid FROM text WHERE text MATCH 'tarsier' LIMIT 1)",
	        "SELECT count(*) FROM (SELECT rowid FROM name WHERE name MATCH 'tarsier' LIMIT 1)",
	        "SELECT count(*) FROM (SELECT rowid FROM gram WHERE gram MATCH 'tar' LIMIT 1)"};
	for (size_t i = 0; i < G_N_ELEMENTS(probes); i++) {
		int64_t ignored;
		if (!db_get_int(db, probes[i], NULL, &ignored, error))
			return false;
	}
	return true;
}

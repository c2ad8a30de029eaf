/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-schema.h"
#include "common/base/i18n.h"
#include "index/store/db-exec.h"
#include "index/store/db.h"
#include "index/store/schema-sql.h"
#include <string.h>

bool db_schema_create(sqlite3 *db, GError **error)
{
	/* A commit writes whole pages, and a saved file changes a few bytes in each of some 35. A
	 * page of the text index (pgsz in the schema) fills two of them. */
	static const char head[] = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL;"
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

/* Entries that SQLite and FTS5 add to the schema, and those that older versions had in it. */
static bool is_added_text(const char *sql)
{
	static const char *const added[] = {"CREATE TABLE sqlite_sequence(name,seq)",
	        "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
	        "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"};
	/* Tables and indexes that a migration removes or changes. */
	static const char *const removed[] = {"CREATE TABLE meaning_document(\n\tdocument INTEGER "
	                                      "PRIMARY KEY,\n\tvector BLOB NOT NULL\n)",
	        "CREATE INDEX inode_newest ON inode(mtime_ns, content) WHERE content IS NOT NULL"};
	static const char *const patterns[] = {"CREATE TABLE 'text_[a-z]*'(*",
	        "CREATE TABLE 'name_[a-z]*'(*", "CREATE TABLE 'gram_[a-z]*'(*"};
	for (size_t i = 0; i < G_N_ELEMENTS(added); i++)
		if (strcmp(sql, added[i]) == 0)
			return true;
	for (size_t i = 0; i < G_N_ELEMENTS(removed); i++)
		if (strcmp(sql, removed[i]) == 0)
			return true;
	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
		if (sqlite3_strglob(patterns[i], sql) == 0)
			return true;
	return false;
}

/* The columns are type and sql. */
static bool is_expected_row(sqlite3_stmt *row)
{
	const char *type = (const char *)sqlite3_column_text(row, 0);
	const char *sql = (const char *)sqlite3_column_text(row, 1);
	if (!sql)
		return sqlite3_column_type(row, 1) == SQLITE_NULL && g_strcmp0(type, "index") == 0;
	if ((size_t)sqlite3_column_bytes(row, 1) != strlen(sql))
		return false;
	g_autofree char *statement = g_strconcat(sql, ";", NULL);
	return strstr(schema_sql, statement) || is_added_text(sql);
}

static bool has_expected_rows(sqlite3 *db, bool *expected_r, GError **error)
{
	sqlite3_stmt *statement = NULL;
	int row =
	        sqlite3_prepare_v2(db, "SELECT type, sql FROM sqlite_schema", -1, &statement, NULL);
	*expected_r = true;
	if (row == SQLITE_OK)
		while ((row = sqlite3_step(statement)) == SQLITE_ROW && *expected_r)
			*expected_r = is_expected_row(statement);
	bool ok = row == SQLITE_ROW || row == SQLITE_DONE || db_fail(db, NULL, error);
	sqlite3_finalize(statement);
	return ok;
}

/* Somebody who puts a view, a trigger, a virtual table or an expression into the file wants it to
 * run in our queries. So the file may hold only what schema.sql says, word for word, and what
 * SQLite and FTS5 add to it: automatic indexes, the table of sequences, the statistics of
 * somebody's ANALYZE, which change no answer, and FTS5's own tables, whose text is FTS5's affair;
 * generated columns in them are found by their structure. Every version of the schema had these
 * texts: a migration that changes or removes one must add the old text to this check. Each reader
 * makes it: comparing the texts by SQL was a sixth of a search for a rare word. */
bool db_schema_check(sqlite3 *db, GError **error)
{
	static const char generated_sql[] =
	        "SELECT count(*) FROM sqlite_schema s, pragma_table_xinfo(s.name) "
	        "WHERE s.sql GLOB 'CREATE TABLE ''*' AND hidden > 1";
	int64_t generated = 0;
	bool expected;
	if (!has_expected_rows(db, &expected, error) ||
	        (expected && !db_get_int(db, generated_sql, &generated, error)))
		return false;
	if (expected && generated == 0)
		return true;
	g_set_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED,
	        _("the index holds what this program did not put into it"));
	return false;
}

bool db_schema_check_owner(sqlite3 *db, GError **error)
{
	int64_t id;
	if (!db_get_int(db, "PRAGMA application_id", &id, error))
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
	        "SELECT max(block) + min(block) FROM meaning_vector",
	        "SELECT max(part) + min(part) FROM meaning_word",
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
		if (!db_get_int(db, probes[i], &ignored, error))
			return false;
	}
	return true;
}

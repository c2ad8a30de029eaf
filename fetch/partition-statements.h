/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-statements.h - what tarsier-partition asks the database
 *
 * All moments are those of the database: now() is the beginning of its transaction, which lies
 * after the moment in which a crawler sent it, and before the one in which the crawler reads the
 * answer. So a lease ends later than its crawler believes, and a host is free earlier than another
 * crawler learns. */
#pragma once

/* The tables of crawlers that share hosts, made by the first one.
 *
 * crawler: a session of a crawler, which holds hosts until expires. It never comes back after that.
 * host: who holds it; free_at: nobody may ask it before, and acquire it before; asked_at: a request
 * was about to be sent, and its answer is not known. want: which sessions have sources there. url:
 * what is known of a URL, by whoever found it, and then by whoever asked it; xid is the transaction
 * of the last change, for those who look for news. obsolete: pages that a crawler keeps although
 * another one has had a later answer. url.answerer: whose page is the latest. */
static const char partition_schema[] =
        "CREATE SCHEMA IF NOT EXISTS tarsier_crawl;"
        "CREATE TABLE IF NOT EXISTS tarsier_crawl.setting("
        " one bool PRIMARY KEY DEFAULT true CHECK (one),"
        " format int NOT NULL DEFAULT 1,"
        " lease_ms int NOT NULL DEFAULT 180000 CHECK (lease_ms BETWEEN 3000 AND 3600000));"
        "INSERT INTO tarsier_crawl.setting DEFAULT VALUES ON CONFLICT DO NOTHING;"
        "CREATE TABLE IF NOT EXISTS tarsier_crawl.crawler("
        " session text PRIMARY KEY, id text NOT NULL, name text NOT NULL,"
        " serial bigint NOT NULL DEFAULT 0, expires timestamptz NOT NULL);"
        "CREATE TABLE IF NOT EXISTS tarsier_crawl.host("
        " host text PRIMARY KEY, holder text,"
        " free_at timestamptz NOT NULL DEFAULT now(), asked_at timestamptz,"
        " wait_ms bigint NOT NULL DEFAULT 1000, backoff int NOT NULL DEFAULT 0);"
        "CREATE INDEX IF NOT EXISTS host_holder ON tarsier_crawl.host(holder);"
        "CREATE TABLE IF NOT EXISTS tarsier_crawl.want("
        " host text, session text REFERENCES tarsier_crawl.crawler ON DELETE CASCADE,"
        " PRIMARY KEY (host, session));"
        "CREATE INDEX IF NOT EXISTS want_session ON tarsier_crawl.want(session);"
        "CREATE TABLE IF NOT EXISTS tarsier_crawl.url("
        " origin text COLLATE \"C\", hash bigint, host text NOT NULL, path text NOT NULL,"
        " kind smallint NOT NULL, depth int NOT NULL, priority smallint NOT NULL,"
        " status int NOT NULL, over bool NOT NULL, due timestamptz, visited timestamptz,"
        " changes float8 NOT NULL, seconds float8 NOT NULL, failures int NOT NULL,"
        " answerer text, writer text NOT NULL,"
        " xid xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (origin, hash));"
        "CREATE INDEX IF NOT EXISTS url_xid ON tarsier_crawl.url(xid);"
        "CREATE INDEX IF NOT EXISTS url_host ON tarsier_crawl.url(host, origin, hash);"
        "CREATE TABLE IF NOT EXISTS tarsier_crawl.obsolete("
        " number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
        " id text NOT NULL, origin text NOT NULL, path text NOT NULL);"
        "CREATE INDEX IF NOT EXISTS obsolete_id ON tarsier_crawl.obsolete(id);";

static const char sql_prepare_session[] =
        "SET synchronous_commit = on; SET statement_timeout = '20s';"
        "SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '30s';"
        "SET default_transaction_isolation = 'read committed'; SET client_min_messages = warning;"
        "SET search_path = pg_catalog, pg_temp";
static const char sql_has_schema[] = "SELECT to_regclass('tarsier_crawl.obsolete') IS NOT NULL";
static const char sql_lock_schema[] =
        "SELECT pg_advisory_xact_lock(hashtextextended('tarsier_crawl', 0))";
static const char sql_setting[] = "SELECT format, lease_ms, pg_snapshot_xmin(pg_current_snapshot())"
                                  " FROM tarsier_crawl.setting";

/* $1 session, $2 id, $3 name. A session that is known stays as it is. */
static const char sql_begin_session[] =
        "INSERT INTO tarsier_crawl.crawler(session, id, name, expires)"
        " SELECT $1, $2, $3, now() + lease_ms * interval '1 ms' FROM tarsier_crawl.setting"
        " ON CONFLICT DO NOTHING";

/* $1 session, $2 serial number: a message that was held up must not undo a later one. */
static const char sql_renew[] = "UPDATE tarsier_crawl.crawler SET serial = $2,"
                                " expires = greatest(expires, now() + lease_ms * interval '1 ms')"
                                " FROM tarsier_crawl.setting"
                                " WHERE session = $1 AND serial < $2 AND expires > now()"
                                " RETURNING lease_ms, pg_snapshot_xmin(pg_current_snapshot())";

/* Ends the sessions whose lease has run out. Where a request may have been made when its crawler
 * was lost, it may have taken as long as requests may, or all the time since, so the host waits as
 * after such an answer: ten times as long, doubled as often as before. */
static const char sql_end_sessions[] =
        "WITH ended AS (DELETE FROM tarsier_crawl.crawler WHERE session IN"
        "  (SELECT session FROM tarsier_crawl.crawler WHERE expires < now()"
        "   FOR UPDATE SKIP LOCKED) RETURNING session)"
        " UPDATE tarsier_crawl.host h SET holder = NULL, asked_at = NULL, free_at ="
        "  CASE WHEN h.asked_at IS NULL THEN h.free_at ELSE greatest(h.free_at, now() +"
        "   interval '1 ms' * greatest(h.wait_ms, least(21600000,"
        "    10 * least(extract(epoch FROM now() - h.asked_at) * 1000,"
        "     greatest(1000, least(60000, s.lease_ms / 3000 * 1000)))"
        "    * 2 ^ least(h.backoff, 16)))) END"
        " FROM ended, tarsier_crawl.setting s WHERE h.holder = ended.session";

/* $1 session, $2 hosts */
static const char sql_drop_wants[] = "DELETE FROM tarsier_crawl.want WHERE session = $1";
static const char sql_add_hosts[] =
        "INSERT INTO tarsier_crawl.host(host) SELECT host FROM unnest($1::text[]) host"
        " ORDER BY host ON CONFLICT DO NOTHING";
static const char sql_add_wants[] = "INSERT INTO tarsier_crawl.want(session, host) SELECT $1, host"
                                    " FROM unnest($2::text[]) host ON CONFLICT DO NOTHING";

/* $1 session; hosts, time until the next request, gap, doublings, PartitionAsking. A request that
 * is still being made keeps its moment. */
static const char sql_set_states[] =
        "UPDATE tarsier_crawl.host h SET free_at = now() + interval '1 ms' * v.free_ms,"
        " wait_ms = v.wait_ms, backoff = v.backoff, asked_at ="
        " CASE v.asking WHEN 0 THEN NULL WHEN 1 THEN now() ELSE coalesce(h.asked_at, now()) END"
        " FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::int[], $6::int[])"
        "  AS v(host, free_ms, wait_ms, backoff, asking)"
        " WHERE h.host = v.host AND h.holder = $1 RETURNING h.host";

static const char sql_release[] =
        "UPDATE tarsier_crawl.host SET holder = NULL"
        " WHERE host = ANY($2::text[]) AND holder = $1 AND asked_at IS NULL";
static const char sql_acquire[] =
        "UPDATE tarsier_crawl.host SET holder = $1 WHERE host IN"
        " (SELECT host FROM tarsier_crawl.host WHERE host = ANY($2::text[]) AND holder IS NULL"
        "  AND free_at <= now() ORDER BY host FOR UPDATE SKIP LOCKED)";

/* $1 id; then the columns of URLs. Pages of others that this crawler has now are obsolete there. */
#define SQL_NEW_URLS                                                                               \
	"unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::int[], $7::int[],"           \
	" $8::int[], $9::int[], $10::int[], $11::bigint[], $12::bigint[], $13::float8[],"          \
	" $14::float8[], $15::int[]) AS v(origin, hash, host, path, kind, depth, priority,"        \
	" status, flags, due_s, visited_s, changes, seconds, failures)"
static const char sql_note_obsolete[] =
        "INSERT INTO tarsier_crawl.obsolete(id, origin, path)"
        " SELECT u.answerer, u.origin, u.path FROM " SQL_NEW_URLS
        " JOIN tarsier_crawl.url u ON u.origin = v.origin AND u.hash = v.hash"
        " WHERE v.flags & 4 <> 0 AND u.answerer <> $1";
/* Answers of an earlier time count only where there is none. */
static const char sql_put_urls[] =
        "INSERT INTO tarsier_crawl.url AS u (origin, hash, host, path, kind, depth, priority,"
        " status, over, due, visited, changes, seconds, failures, answerer, writer)"
        " SELECT origin, hash, host, path, kind, depth, priority, status, flags & 1 <> 0,"
        " now() + interval '1 s' * due_s,"
        " CASE WHEN status > 0 THEN now() - interval '1 s' * visited_s END,"
        " changes, seconds, failures, CASE WHEN flags & 4 <> 0 THEN $1 END, $1"
        " FROM " SQL_NEW_URLS " ORDER BY origin, hash"
        " ON CONFLICT (origin, hash) DO UPDATE SET depth = least(u.depth, excluded.depth),"
        " priority = excluded.priority, status = excluded.status, over = excluded.over,"
        " due = excluded.due, visited = excluded.visited, changes = excluded.changes,"
        " seconds = excluded.seconds, failures = excluded.failures,"
        " answerer = coalesce(excluded.answerer, u.answerer), writer = excluded.writer, xid = "
        "pg_current_xact_id()"
        " WHERE excluded.visited IS NOT NULL AND"
        " (u.visited IS NULL OR excluded.visited >= now())";

#define SQL_URL_COLUMNS                                                                            \
	"u.origin, u.hash, u.path, u.kind, u.depth, u.priority, u.status,"                         \
	" u.over::int + CASE WHEN u.answerer = $1 THEN 2 ELSE 0 END,"                              \
	" coalesce(extract(epoch FROM u.due - now())::bigint, 0),"                                 \
	" coalesce(extract(epoch FROM now() - u.visited)::bigint, -1),"                            \
	" u.changes, u.seconds, u.failures"
/* $1 id, $2 session, $3 mark */
static const char sql_news[] = "SELECT " SQL_URL_COLUMNS ", u.xid FROM tarsier_crawl.url u"
                               " JOIN tarsier_crawl.host h ON h.host = u.host"
                               " WHERE u.xid >= $3::text::xid8 AND u.writer <> $1 AND h.holder = $2"
                               " ORDER BY u.xid LIMIT 2000";
/* $1 id, $2 hosts, $3 origin, $4 hash */
static const char sql_load[] =
        "SELECT " SQL_URL_COLUMNS " FROM tarsier_crawl.url u WHERE u.host = ANY($2::text[])"
        " AND (u.origin, u.hash) > ($3, $4::bigint) ORDER BY u.origin, u.hash LIMIT 500";

static const char sql_obsolete[] =
        "SELECT number, origin, path FROM tarsier_crawl.obsolete WHERE id = $1"
        " ORDER BY number LIMIT 100";
static const char sql_forget_obsolete[] =
        "DELETE FROM tarsier_crawl.obsolete WHERE number = ANY($1::bigint[])";

static const char sql_crawlers[] =
        "SELECT DISTINCT id FROM tarsier_crawl.crawler WHERE expires > now() ORDER BY id";
/* $1 session */
static const char sql_unwanted[] =
        "SELECT w.host, c.id FROM tarsier_crawl.want w, tarsier_crawl.crawler c"
        " WHERE w.session = $1 AND c.expires > now() AND NOT EXISTS"
        " (SELECT 1 FROM tarsier_crawl.want o WHERE o.host = w.host AND o.session = c.session)";
static const char sql_free[] =
        "SELECT h.host, ceil(greatest(0, extract(epoch FROM h.free_at - now())) * 1000)::bigint"
        " FROM tarsier_crawl.want w JOIN tarsier_crawl.host h ON h.host = w.host"
        " WHERE w.session = $1 AND h.holder IS NULL";
static const char sql_held[] =
        "SELECT host, wait_ms, backoff FROM tarsier_crawl.host WHERE holder = $1";

/* $1 session. A session that still holds a host ends by itself. */
static const char sql_bye[] =
        "UPDATE tarsier_crawl.host SET holder = NULL WHERE holder = $1 AND asked_at IS NULL";
static const char sql_end_session[] =
        "DELETE FROM tarsier_crawl.crawler WHERE session = $1 AND NOT EXISTS"
        " (SELECT 1 FROM tarsier_crawl.host WHERE holder = $1)";

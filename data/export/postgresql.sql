-- SPDX-License-Identifier: GPL-3.0-or-later
-- postgresql.sql - what "tarsier export --to postgresql:… --setup" makes in a database (PostgreSQL 15)
--
-- Nobody but the owner reads the tables. People search by tarsier.search(), which runs with the rights
-- of the owner and adds the tokens of the caller before it matches anything. Row-level security alone
-- would be slow: the operator @@ is not leakproof, so the index of words is not used under it.
--
-- Everybody may make temporary types and functions, and these are looked for first unless pg_temp is named
-- in the search path: so it stands there, last.

CREATE SCHEMA IF NOT EXISTS tarsier;
REVOKE ALL ON SCHEMA tarsier FROM PUBLIC;

-- An index that exports into this database.
CREATE TABLE IF NOT EXISTS tarsier.instance(
	instance text PRIMARY KEY,
	host text NOT NULL,
	ended timestamptz -- the last export that came to its end
);
ALTER TABLE tarsier.instance ADD COLUMN IF NOT EXISTS origin text; -- where the index is; an index that replaces it has the same
ALTER TABLE tarsier.instance ADD COLUMN IF NOT EXISTS seq bigint; -- all changes up to this one are here

-- A document has the number that it has in its index. It never changes: changed bytes are another one.
CREATE TABLE IF NOT EXISTS tarsier.document(
	instance text NOT NULL,
	number bigint NOT NULL,
	content bigint NOT NULL,
	member text,
	kind text,
	mime text,
	title text,
	author text,
	lang text,
	date timestamptz,
	mtime timestamptz,
	size bigint,
	state text,
	reason text,
	facts jsonb,
	text text NOT NULL,
	words tsvector NOT NULL,
	PRIMARY KEY(instance, number)
);
CREATE INDEX IF NOT EXISTS document_content ON tarsier.document(instance, content);
CREATE INDEX IF NOT EXISTS document_words ON tarsier.document USING gin(words);

-- Where the documents of a content are, and who may read them there. Without a place nobody sees a document.
CREATE TABLE IF NOT EXISTS tarsier.place(
	instance text NOT NULL,
	content bigint NOT NULL,
	path text NOT NULL,
	exact text NOT NULL, -- base64 of a path that is not UTF-8, else ''
	source text NOT NULL,
	mtime timestamptz,
	allow text[] NOT NULL,
	deny text[] NOT NULL,
	words tsvector GENERATED ALWAYS AS ( -- of the name
		to_tsvector('simple'::regconfig, translate(regexp_replace(path, '^.*/', ''), '_.-+,;()', '        '))) STORED
);
-- A path is longer than a row of an index may be.
CREATE UNIQUE INDEX IF NOT EXISTS place_key ON tarsier.place(instance, content, md5(path || E'\n' || exact));
CREATE INDEX IF NOT EXISTS place_words ON tarsier.place USING gin(words);

-- Which role of this database has which token. The administrator fills it.
CREATE TABLE IF NOT EXISTS tarsier.principal(
	role name NOT NULL,
	token text NOT NULL,
	PRIMARY KEY(role, token)
);

-- The text search configurations that documents were indexed with.
CREATE TABLE IF NOT EXISTS tarsier.language(config regconfig PRIMARY KEY);

ALTER TABLE tarsier.instance ENABLE ROW LEVEL SECURITY;
ALTER TABLE tarsier.document ENABLE ROW LEVEL SECURITY;
ALTER TABLE tarsier.place ENABLE ROW LEVEL SECURITY;
ALTER TABLE tarsier.principal ENABLE ROW LEVEL SECURITY;
ALTER TABLE tarsier.language ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION tarsier.config(lang text) RETURNS regconfig
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE left(lang, 2)
		WHEN 'da' THEN 'danish' WHEN 'de' THEN 'german' WHEN 'en' THEN 'english' WHEN 'es' THEN 'spanish'
		WHEN 'fi' THEN 'finnish' WHEN 'fr' THEN 'french' WHEN 'hu' THEN 'hungarian' WHEN 'it' THEN 'italian'
		WHEN 'nl' THEN 'dutch' WHEN 'no' THEN 'norwegian' WHEN 'nb' THEN 'norwegian' WHEN 'pt' THEN 'portuguese'
		WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'sv' THEN 'swedish' WHEN 'tr' THEN 'turkish'
		ELSE 'simple' END::regconfig
$$;

-- A tsvector holds a megabyte. Of a text with more different words, the first part is searched.
CREATE OR REPLACE FUNCTION tarsier.words(config regconfig, title text, names text, body text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	most int := length(body);
BEGIN
	LOOP
		BEGIN
			RETURN setweight(to_tsvector(config, coalesce(title, '')), 'A') ||
				setweight(to_tsvector('simple', coalesce(names, '')), 'B') ||
				to_tsvector(config, left(body, most));
		EXCEPTION WHEN program_limit_exceeded THEN
			IF most = 0 THEN RETURN ''::tsvector; END IF;
			most := most / 2;
		END;
	END LOOP;
END
$$;

-- Takes a line of the stream of documents. The same line again changes nothing. False: it has a value that
-- the database cannot hold.
CREATE OR REPLACE FUNCTION tarsier.put_document(of_instance text, of_number bigint, line jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	lang_config regconfig := tarsier.config(line->>'lang');
	body text;
BEGIN
	SELECT coalesce(string_agg(part->>'text', E'\n'), '') INTO body
		FROM jsonb_array_elements(CASE jsonb_typeof(line->'text') WHEN 'array' THEN line->'text' ELSE '[]' END) part;
	INSERT INTO tarsier.language VALUES(lang_config) ON CONFLICT DO NOTHING;
	INSERT INTO tarsier.document VALUES(of_instance, of_number, (line->>'content')::bigint, line->>'member',
		line->>'kind', line->>'mime', line->>'title', line->>'author', line->>'lang',
		(line->>'date')::timestamptz, (line->>'mtime')::timestamptz, (line->>'size')::bigint,
		line->>'state', line->>'reason', line->'facts', body,
		tarsier.words(lang_config, line->>'title', concat_ws(' ', line->>'author', line->>'member'), body))
	ON CONFLICT(instance, number) DO UPDATE SET state = excluded.state, reason = excluded.reason,
		facts = excluded.facts, text = excluded.text, words = excluded.words;
	RETURN true;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
	RETURN false;
END
$$;

-- Takes contents as they are now: their places replace the former ones, and documents that are not listed go.
-- Returns the contents that lack documents.
CREATE OR REPLACE FUNCTION tarsier.put_contents(of_instance text, lines jsonb) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	DELETE FROM tarsier.place p USING jsonb_array_elements(lines) l
		WHERE p.instance = of_instance AND p.content = (l->>'content')::bigint AND NOT EXISTS (
			SELECT 1 FROM jsonb_array_elements(l->'places') s
			WHERE s->>'path' = p.path AND coalesce(s->>'path_b64', '') = p.exact);
	DELETE FROM tarsier.document d USING jsonb_array_elements(lines) l
		WHERE d.instance = of_instance AND d.content = (l->>'content')::bigint
			AND NOT l->'documents' @> to_jsonb(d.number);
	INSERT INTO tarsier.place(instance, content, path, exact, source, mtime, allow, deny)
		SELECT of_instance, (l->>'content')::bigint, s->>'path', coalesce(s->>'path_b64', ''), s->>'source',
			(s->>'mtime')::timestamptz, ARRAY(SELECT jsonb_array_elements_text(s->'allow')),
			ARRAY(SELECT jsonb_array_elements_text(s->'deny'))
		FROM jsonb_array_elements(lines) l, jsonb_array_elements(l->'places') s
	ON CONFLICT(instance, content, md5(path || E'\n' || exact)) DO UPDATE SET source = excluded.source,
		mtime = excluded.mtime, allow = excluded.allow, deny = excluded.deny
		WHERE (place.source, place.mtime, place.allow, place.deny)
			IS DISTINCT FROM (excluded.source, excluded.mtime, excluded.allow, excluded.deny);
	RETURN QUERY SELECT (l->>'content')::bigint FROM jsonb_array_elements(lines) l
		WHERE jsonb_array_length(l->'places') > 0 AND EXISTS (
			SELECT 1 FROM jsonb_array_elements_text(l->'documents') n
			WHERE NOT EXISTS (
				SELECT 1 FROM tarsier.document d WHERE d.instance = of_instance AND d.number = n::bigint));
END
$$;

-- The tokens of who is connected. SET ROLE does not change them.
CREATE OR REPLACE FUNCTION tarsier.tokens() RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT array_append(coalesce(array_agg(token), '{}'), 'world') FROM tarsier.principal WHERE role = session_user
$$;

-- The documents that match and that the caller may read, best first. query: words, "phrases", or, -not.
-- Notices are off: their number would tell in how many languages there are documents.
-- The planner believes that a word is in many documents, does not know that reading words costs much, and
-- would read all places or all documents for a rare word: so it may use nothing but indexes and loops.
CREATE OR REPLACE FUNCTION tarsier.search(query text, most int DEFAULT 20, skip int DEFAULT 0)
RETURNS TABLE(id text, path text, member text, title text, mime text, mtime timestamptz, size bigint, score real,
	snippet text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
	mine text[] := tarsier.tokens();
	wanted tsquery := websearch_to_tsquery('simple', query);
	other regconfig;
BEGIN
	FOR other IN SELECT config FROM tarsier.language LOOP
		wanted := wanted || websearch_to_tsquery(other, query);
	END LOOP;
	RETURN QUERY
		SELECT h.instance || ':' || h.number, h.path, d.member, d.title, d.mime, d.mtime, d.size, h.score,
			ts_headline(tarsier.config(d.lang), left(d.text, 20000), wanted,
				'StartSel=**, StopSel=**, MaxWords=25, MinWords=12')
		FROM (
			SELECT b.*, (
				SELECT p.path FROM tarsier.place p
				WHERE p.instance = b.instance AND p.content = b.content AND p.allow && mine AND NOT p.deny && mine
				ORDER BY p.words @@ wanted DESC, p.path LIMIT 1
			) AS path
			FROM (
				SELECT f.instance, f.number, f.content, sum(f.score)::real AS score
				FROM (
					SELECT m.instance, m.number, m.content, ts_rank_cd(m.words, wanted, 1) AS score
					FROM tarsier.document m WHERE m.words @@ wanted
					UNION ALL
					SELECT m.instance, m.number, m.content, max(ts_rank_cd(n.words, wanted, 1))
					FROM tarsier.place n JOIN tarsier.document m ON m.instance = n.instance AND m.content = n.content
					WHERE n.words @@ wanted AND m.member IS NULL AND n.allow && mine AND NOT n.deny && mine
					GROUP BY m.instance, m.number
				) f
				WHERE EXISTS (
					SELECT 1 FROM tarsier.place p
					WHERE p.instance = f.instance AND p.content = f.content AND p.allow && mine AND NOT p.deny && mine
				)
				GROUP BY f.instance, f.number, f.content
				ORDER BY score DESC, f.instance, f.number DESC
				LIMIT least(greatest(most, 0), 1000) OFFSET greatest(skip, 0)
			) b
		) h
		JOIN tarsier.document d USING(instance, number)
		ORDER BY h.score DESC, h.instance, h.number DESC;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tarsier FROM PUBLIC;
GRANT USAGE ON SCHEMA tarsier TO PUBLIC;
GRANT EXECUTE ON FUNCTION tarsier.search(text, int, int) TO PUBLIC;

-- SPDX-License-Identifier: GPL-3.0-or-later
-- postgresql.sql - what "tarsier export --to postgresql:… --setup" makes in a database (PostgreSQL 15)
--
-- Nobody but the owner reads the tables. People search by tarsier.search(), which runs with the rights
-- of the owner and adds the tokens of the caller before it matches anything. Row-level security alone
-- would be slow: the operator @@ is not leakproof, so the index of words is not used under it.
--
-- Everybody may make temporary types and functions, and these are looked for first unless pg_temp is named
-- in the search path: so it stands there, last. Functions whose body stands behind RETURN are read now, once, and
-- become a part of the statements that call them.

SET search_path = pg_catalog, pg_temp;

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
-- For tarsier.find(): the words as Tarsier reads them. streams has a line "COLUMN: WORD WORD/PART …" for each
-- column, and is read for phrases; terms has each word once: by itself if it is in the body, as ^WORD if it is
-- elsewhere, and as COLUMN:WORD in columns of their own. ~LANGUAGE is the language. NULL: an earlier version sent it.
ALTER TABLE tarsier.document ADD COLUMN IF NOT EXISTS pages bigint;
ALTER TABLE tarsier.document ADD COLUMN IF NOT EXISTS seconds bigint;
ALTER TABLE tarsier.document ADD COLUMN IF NOT EXISTS streams text;
ALTER TABLE tarsier.document ADD COLUMN IF NOT EXISTS terms tsvector;
CREATE INDEX IF NOT EXISTS document_terms ON tarsier.document USING gin(terms);
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
-- The words of a stream " WORD WORD/PART …", without their places, each behind the mark. A word may come twice.
CREATE OR REPLACE FUNCTION tarsier.stream_terms(stream text, mark text) RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN array_remove(string_to_array(mark || replace(translate(stream, E'/\n', '  '), ' ', ' ' || mark), ' '), mark);
ALTER TABLE tarsier.place ADD COLUMN IF NOT EXISTS stream text; -- of the name; NULL: an earlier version sent it
ALTER TABLE tarsier.place ADD COLUMN IF NOT EXISTS terms tsvector
	GENERATED ALWAYS AS (array_to_tsvector(tarsier.stream_terms(coalesce(stream, ''), ''))) STORED;
CREATE INDEX IF NOT EXISTS place_terms ON tarsier.place USING gin(terms);
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
LANGUAGE sql IMMUTABLE
RETURN CASE left(lang, 2)
	WHEN 'da' THEN 'danish' WHEN 'de' THEN 'german' WHEN 'en' THEN 'english' WHEN 'es' THEN 'spanish'
	WHEN 'fi' THEN 'finnish' WHEN 'fr' THEN 'french' WHEN 'hu' THEN 'hungarian' WHEN 'it' THEN 'italian'
	WHEN 'nl' THEN 'dutch' WHEN 'no' THEN 'norwegian' WHEN 'nb' THEN 'norwegian' WHEN 'pt' THEN 'portuguese'
	WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'sv' THEN 'swedish' WHEN 'tr' THEN 'turkish'
	ELSE 'simple' END::regconfig;

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

-- The same for the words as Tarsier reads them. of_words: the stream of each column.
CREATE OR REPLACE FUNCTION tarsier.terms(of_words jsonb, lang text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	body text := coalesce(of_words->>'body', '');
	elsewhere text[] := ARRAY['~' || lower(split_part(coalesce(lang, ''), '-', 1))];
	most int := length(body);
	field record;
BEGIN
	FOR field IN SELECT * FROM jsonb_each_text(coalesce(of_words, '{}')) LOOP
		CONTINUE WHEN field.key = 'body';
		elsewhere := elsewhere || tarsier.stream_terms(field.value, '^');
		IF field.key <> 'noise' THEN
			elsewhere := elsewhere || tarsier.stream_terms(field.value, field.key || ':');
		END IF;
	END LOOP;
	LOOP
		BEGIN
			-- array_to_tsvector() makes a broken one of too many words, || an error
			RETURN array_to_tsvector(elsewhere || tarsier.stream_terms(left(body, most), '')) || ''::tsvector;
		EXCEPTION WHEN program_limit_exceeded THEN
			IF most = 0 THEN RETURN ''::tsvector; END IF;
			most := most / 2;
		END;
	END LOOP;
END
$$;

-- Takes documents as the stream tells them. Of two of one number, the last is the right one; the same again changes
-- nothing.
CREATE OR REPLACE FUNCTION tarsier.insert_documents(of_instance text, lines jsonb[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	INSERT INTO tarsier.document(instance, number, content, member, kind, mime, title, author, lang, date, mtime, size,
		state, reason, facts, text, words, pages, seconds, streams, terms)
	SELECT of_instance, l.number, (l.line->>'content')::bigint, l.line->>'member',
		l.line->>'kind', l.line->>'mime', l.line->>'title', l.line->>'author', l.line->>'lang',
		(l.line->>'date')::timestamptz, (l.line->>'mtime')::timestamptz, (l.line->>'size')::bigint,
		l.line->>'state', l.line->>'reason', l.line->'facts', b.body,
		tarsier.words(tarsier.config(l.line->>'lang'), l.line->>'title', concat_ws(' ', l.line->>'author', l.line->>'member'),
			b.body),
		(l.line->>'pages')::bigint, (l.line->>'seconds')::bigint,
		(SELECT coalesce(string_agg(E'\n' || key || ':' || value, ''), '') || E'\n' FROM jsonb_each_text(l.line->'words')),
		tarsier.terms(l.line->'words', l.line->>'lang')
	FROM (
		SELECT DISTINCT ON (number) split_part(j.line->>'id', ':', 2)::bigint AS number, j.line
		FROM unnest(lines) WITH ORDINALITY j(line, n)
		ORDER BY number, j.n DESC
	) l, LATERAL (
		SELECT coalesce(string_agg(part->>'text', E'\n'), '') AS body
		FROM jsonb_array_elements(CASE jsonb_typeof(l.line->'text') WHEN 'array' THEN l.line->'text' ELSE '[]' END) part
	) b
	ON CONFLICT(instance, number) DO UPDATE SET state = excluded.state, reason = excluded.reason,
		facts = excluded.facts, text = excluded.text, words = excluded.words, pages = excluded.pages,
		seconds = excluded.seconds, streams = excluded.streams, terms = excluded.terms;
	INSERT INTO tarsier.language SELECT DISTINCT tarsier.config(line->>'lang') FROM unnest(lines) line
		ON CONFLICT DO NOTHING;
END
$$;
-- of earlier versions
DROP FUNCTION IF EXISTS tarsier.put_document(text, bigint, jsonb);
DROP FUNCTION IF EXISTS tarsier.insert_documents(text, text[]);
DROP FUNCTION IF EXISTS tarsier.put_documents(text, text);

-- Takes the places of contents, or of documents as the stream tells them: those of the last one of a content.
CREATE OR REPLACE FUNCTION tarsier.insert_places(of_instance text, lines jsonb[]) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	INSERT INTO tarsier.place(instance, content, path, exact, source, mtime, allow, deny, stream)
		SELECT of_instance, l.content, s->>'path', coalesce(s->>'path_b64', ''), s->>'source',
			(s->>'mtime')::timestamptz, ARRAY(SELECT jsonb_array_elements_text(s->'allow')),
			ARRAY(SELECT jsonb_array_elements_text(s->'deny')), s->>'words'
		FROM (
			SELECT DISTINCT ON (content) (j.line->>'content')::bigint AS content, j.line
			FROM unnest(lines) WITH ORDINALITY j(line, n)
			ORDER BY content, j.n DESC
		) l, jsonb_array_elements(l.line->'places') s
	ON CONFLICT(instance, content, md5(path || E'\n' || exact)) DO UPDATE SET source = excluded.source,
		mtime = excluded.mtime, allow = excluded.allow, deny = excluded.deny, stream = excluded.stream
		WHERE (place.source, place.mtime, place.allow, place.deny, place.stream)
			IS DISTINCT FROM (excluded.source, excluded.mtime, excluded.allow, excluded.deny, excluded.stream)
$$;

CREATE OR REPLACE FUNCTION tarsier.insert_lines(of_instance text, lines text[], and_places boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	parsed jsonb[] := lines::jsonb[];
BEGIN
	IF and_places THEN PERFORM tarsier.insert_places(of_instance, parsed); END IF;
	PERFORM tarsier.insert_documents(of_instance, parsed);
END
$$;

-- Takes many lines, each with its newline; and_places: and where the documents are. Returns how many have a value that
-- the database cannot hold: these are left out, and looked for one by one only if there are any.
CREATE OR REPLACE FUNCTION tarsier.put_documents(of_instance text, of_lines text, and_places boolean DEFAULT false)
RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	lines text[] := string_to_array(rtrim(of_lines, E'\n'), E'\n');
	refused bigint := 0;
BEGIN
	BEGIN
		PERFORM tarsier.insert_lines(of_instance, lines, and_places);
		RETURN 0;
	EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
		NULL;
	END;
	FOR i IN 1 .. cardinality(lines) LOOP
		BEGIN
			PERFORM tarsier.insert_lines(of_instance, lines[i:i], and_places);
		EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
			refused := refused + 1;
		END;
	END LOOP;
	RETURN refused;
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
	PERFORM tarsier.insert_places(of_instance, ARRAY(SELECT jsonb_array_elements(lines)));
	RETURN QUERY SELECT (l->>'content')::bigint FROM jsonb_array_elements(lines) l
		WHERE jsonb_array_length(l->'places') > 0 AND EXISTS (
			SELECT 1 FROM jsonb_array_elements_text(l->'documents') n
			WHERE NOT EXISTS (
				SELECT 1 FROM tarsier.document d WHERE d.instance = of_instance AND d.number = n::bigint
				AND d.terms IS NOT NULL));
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
-- Permissions are looked up in the order of the score, until the page is full, and not for all that match. OFFSET 0
-- keeps the planner from joining them to all.
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
				SELECT r.*
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
					GROUP BY f.instance, f.number, f.content
					ORDER BY score DESC, f.instance, f.number DESC
					OFFSET 0
				) r
				WHERE EXISTS (
					SELECT 1 FROM tarsier.place p
					WHERE p.instance = r.instance AND p.content = r.content AND p.allow && mine AND NOT p.deny && mine
					OFFSET 0
				)
				ORDER BY r.score DESC, r.instance, r.number DESC
				LIMIT least(greatest(most, 0), 1000) OFFSET greatest(skip, 0)
			) b
		) h
		JOIN tarsier.document d USING(instance, number)
		ORDER BY h.score DESC, h.instance, h.number DESC;
END
$$;

-- ---- tarsier.find(), for "tarsier search --at"
--
-- The client sends the query as JSON: a tree of {"and":[…]}, {"or":[…]}, {"not":…}, {"leaf":N} and {"filter":N},
-- with the words of the leaves and the values of the filters in arrays beside it (ui-cli/cmd/export/at-query.h). The
-- statement that is run has constant text, to which the tree adds nothing but the numbers of leaves and filters;
-- words and values are parameters. Only tarsier.find() can be called by everybody.

-- Any of the terms behind any of the marks.
CREATE OR REPLACE FUNCTION tarsier.any_of(marks text[], terms text[], prefix boolean) RETURNS tsquery
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(string_agg('''' || replace(replace(mark || term, '\', '\\'), '''', '''''') || '''' ||
		CASE WHEN prefix THEN ':*' ELSE '' END, ' | '), '')::tsquery
	FROM unnest(marks) mark, unnest(terms) term
$$;

CREATE OR REPLACE FUNCTION tarsier.texts(list jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(list) WHEN 'array' THEN list ELSE '[]' END))
$$;

-- A leaf without the forms that no document and no name has: each costs time for each document that is looked at.
CREATE OR REPLACE FUNCTION tarsier.leaf_held(leaf jsonb, marks text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
	held jsonb := '[]';
	terms text[];
	form jsonb;
	term text;
BEGIN
	FOR form IN SELECT jsonb_array_elements(leaf->'forms') LOOP
		-- of a language in which there are documents
		CONTINUE WHEN NOT coalesce((form->>'others')::boolean, false) AND NOT EXISTS (
			SELECT 1 FROM unnest(tarsier.texts(form->'languages')) lang
			WHERE tarsier.config(lang) IN (SELECT config FROM tarsier.language));
		terms := '{}';
		FOREACH term IN ARRAY tarsier.texts(form->'terms') LOOP
			IF EXISTS (SELECT 1 FROM tarsier.document WHERE document.terms @@ tarsier.any_of(marks, ARRAY[term], false))
					OR EXISTS (SELECT 1 FROM tarsier.place WHERE place.terms @@ tarsier.any_of('{""}', ARRAY[term], false)) THEN
				terms := terms || term;
			END IF;
		END LOOP;
		IF cardinality(terms) > 0 THEN
			held := held || jsonb_build_array(jsonb_set(form, '{terms}', to_jsonb(terms)));
		END IF;
	END LOOP;
	RETURN jsonb_set(leaf, '{forms}', held);
END
$$;

-- The words of a leaf behind any of the marks. Forms count in documents of their languages; loose: in all.
CREATE OR REPLACE FUNCTION tarsier.leaf_query(leaf jsonb, marks text[], known text[], loose boolean) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	tokens text[] := tarsier.texts(leaf->'tokens');
	prefix boolean := coalesce((leaf->>'prefix')::boolean, false);
	wanted tsquery := ''::tsquery;
	part tsquery;
	form jsonb;
BEGIN
	FOR i IN 1 .. cardinality(tokens) LOOP
		part := tarsier.any_of(marks, tokens[i:i], prefix AND i = cardinality(tokens));
		wanted := CASE WHEN i = 1 THEN part ELSE wanted && part END;
	END LOOP;
	FOR form IN SELECT jsonb_array_elements(leaf->'forms') LOOP
		part := tarsier.any_of(marks, tarsier.texts(form->'terms'), false);
		IF NOT loose AND (form->>'others')::boolean THEN
			part := part && (tarsier.any_of('{~}', tarsier.texts(form->'languages'), false) ||
				!!tarsier.any_of('{~}', known, false));
		ELSIF NOT loose THEN
			part := part && tarsier.any_of('{~}', tarsier.texts(form->'languages'), false);
		END IF;
		wanted := wanted || part;
	END LOOP;
	RETURN wanted;
END
$$;

-- The regular expression of a phrase in a stream; NULL: the leaf has a single word.
CREATE OR REPLACE FUNCTION tarsier.leaf_phrase(leaf jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	parts text[] := '{}';
	phrase text;
	last boolean;
	others text := '( [^ \n]+){0,' || (leaf->>'gap')::int || '}';
BEGIN
	IF jsonb_array_length(leaf->'tokens') < 2 THEN RETURN NULL; END IF;
	FOR p IN 0 .. jsonb_array_length(leaf->'parts') - 1 LOOP
		last := p = jsonb_array_length(leaf->'parts') - 1 AND (leaf->>'prefix')::boolean;
		SELECT string_agg(' ([^ \n]*/)?' || regexp_replace(t.term, '([][\\^$.|?*+(){}/&#-])', '\\\1', 'g') ||
			CASE WHEN last AND t.n = jsonb_array_length(leaf->'parts'->p) THEN '[^ \n]*' ELSE '(/[^ \n]*)?' END, '' ORDER BY t.n)
			INTO phrase FROM jsonb_array_elements_text(leaf->'parts'->p) WITH ORDINALITY t(term, n);
		parts := parts || phrase;
	END LOOP;
	IF cardinality(parts) = 2 AND NOT (leaf->>'ordered')::boolean THEN
		RETURN '(' || parts[1] || others || parts[2] || '|' || parts[2] || others || parts[1] || ')([ \n]|$)';
	END IF;
	RETURN array_to_string(parts, others) || '([ \n]|$)';
END
$$;

-- In the conditions, $1 are the queries for documents, $2 those for names, $3 those for names whatever the language,
-- $4 and $5 the phrases in streams of documents and of names, $6 the filters, $7 the leaves.
CREATE OR REPLACE FUNCTION tarsier.leaf_condition(n int, leaf jsonb) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format(CASE WHEN jsonb_array_length(leaf->'tokens') > 1
		THEN 'coalesce(d.terms @@ ($1)[%1$s] AND d.streams ~ ($4)[%1$s]'
		ELSE 'coalesce(d.terms @@ ($1)[%1$s]' END ||
	CASE WHEN leaf->>'scope' NOT IN ('any', 'filename') THEN ''
		ELSE CASE leaf->>'scope' WHEN 'any' THEN ' OR ' ELSE ' OR d.member IS NULL AND ' END ||
			'(p.terms || array_to_tsvector(ARRAY[''~'' || lower(split_part(coalesce(d.lang, ''''), ''-'', 1))])) @@ ($2)[%1$s]' ||
			CASE WHEN jsonb_array_length(leaf->'tokens') > 1 THEN ' AND p.stream ~ ($5)[%1$s]' ELSE '' END END ||
	CASE WHEN leaf->>'path' IS NULL THEN ''
		ELSE ' OR right(p.path, length($7->%2$s->>''path'') + 1) = ''/'' || ($7->%2$s->>''path'')'
			' OR p.path = $7->%2$s->>''path''' END ||
	', false)', n + 1, n)
$$;

CREATE OR REPLACE FUNCTION tarsier.filter_condition(n int, field text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT 'coalesce(' || format(CASE field
	WHEN 'all' THEN 'true'
	WHEN 'ext' THEN 'EXISTS(SELECT 1 FROM unnest(tarsier.texts($6->%1$s->''values'')) v, '
		'coalesce(d.member, CASE p.source WHEN ''file'' THEN p.path ELSE regexp_replace(p.path, ''[?#].*$'', '''') END) name '
		'WHERE lower(right(name, length(v) + 1)) = ''.'' || lower(v) AND length(name) > length(v) + 1 '
		'AND substr(name, length(name) - length(v) - 1, 1) <> ''/'')'
	WHEN 'mime' THEN 'EXISTS(SELECT 1 FROM unnest(tarsier.texts($6->%1$s->''values'')) v WHERE CASE right(v, 1) '
		'WHEN ''*'' THEN starts_with(lower(d.mime), left(v, -1)) ELSE lower(d.mime) = v END)'
	WHEN 'type' THEN 'd.kind = ANY(tarsier.texts($6->%1$s->''values''))'
	WHEN 'lang' THEN 'EXISTS(SELECT 1 FROM unnest(tarsier.texts($6->%1$s->''values'')) v WHERE lower(d.lang) = lower(v) '
		'OR starts_with(lower(d.lang), lower(v) || ''-''))'
	WHEN 'dir' THEN 'EXISTS(SELECT 1 FROM unnest(tarsier.texts($6->%1$s->''values'')) v, '
		'regexp_replace(p.path, ''[^/]*$'', '''') dir WHERE CASE left(v, 1) WHEN ''/'' '
		'THEN starts_with(dir, rtrim(v, ''/'') || ''/'') ELSE position(''/'' || v || ''/'' in dir) > 0 END)'
	WHEN 'in' THEN 'EXISTS(SELECT 1 FROM unnest(tarsier.texts($6->%1$s->''values'')) v '
		'WHERE regexp_replace(p.path, ''[^/]*$'', '''') = rtrim(v, ''/'') || ''/'')'
	WHEN 'source' THEN 'p.source = ANY(tarsier.texts($6->%1$s->''values''))'
	WHEN 'url' THEN 'p.source <> ''file'' AND p.path = ANY(tarsier.texts($6->%1$s->''values''))'
	WHEN 'date' THEN 'floor(extract(epoch FROM coalesce(d.date, CASE WHEN d.member IS NULL THEN p.mtime ELSE d.mtime END))) '
		'BETWEEN ($6->%1$s->>''low'')::numeric AND ($6->%1$s->>''high'')::numeric'
	WHEN 'modified' THEN 'floor(extract(epoch FROM CASE WHEN d.member IS NULL THEN p.mtime ELSE d.mtime END)) '
		'BETWEEN ($6->%1$s->>''low'')::numeric AND ($6->%1$s->>''high'')::numeric'
	WHEN 'sent' THEN 'd.mime LIKE ''message/%%'' AND floor(extract(epoch FROM d.date)) '
		'BETWEEN ($6->%1$s->>''low'')::numeric AND ($6->%1$s->>''high'')::numeric'
	WHEN 'size' THEN 'd.size BETWEEN ($6->%1$s->>''low'')::numeric AND ($6->%1$s->>''high'')::numeric'
	WHEN 'pages' THEN 'd.pages BETWEEN ($6->%1$s->>''low'')::numeric AND ($6->%1$s->>''high'')::numeric'
	WHEN 'duration' THEN 'd.seconds BETWEEN ($6->%1$s->>''low'')::numeric AND ($6->%1$s->>''high'')::numeric'
	WHEN 'is' THEN 'EXISTS(SELECT 1 FROM unnest(tarsier.texts($6->%1$s->''values'')) v WHERE CASE v '
		'WHEN ''file'' THEN d.member IS NULL WHEN ''member'' THEN d.member IS NOT NULL '
		'WHEN ''hidden'' THEN p.path ~ ''/[.][^/]*$'' END)'
	END, n) || ', false)'
$$;

CREATE OR REPLACE FUNCTION tarsier.refuse(what text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE 'this is not a query of tarsier search: %', what USING ERRCODE = 'invalid_parameter_value';
END
$$;

CREATE OR REPLACE FUNCTION tarsier.condition(node jsonb, query jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	found text;
	n int;
BEGIN
	IF node ? 'leaf' THEN
		n := (node->>'leaf')::int;
		found := tarsier.leaf_condition(n, query->'leaves'->n);
	ELSIF node ? 'filter' THEN
		n := (node->>'filter')::int;
		found := tarsier.filter_condition(n, query->'filters'->n->>'field');
	ELSIF node ? 'not' THEN
		found := '(NOT ' || tarsier.condition(node->'not', query) || ')';
	ELSIF node ? 'and' THEN
		SELECT '(' || string_agg(tarsier.condition(child, query), ' AND ') || ')' INTO found
			FROM jsonb_array_elements(node->'and') child;
	ELSIF node ? 'or' THEN
		SELECT '(' || string_agg(tarsier.condition(child, query), ' OR ') || ')' INTO found
			FROM jsonb_array_elements(node->'or') child;
	END IF;
	RETURN coalesce(found, tarsier.refuse(left(node::text, 100)));
END
$$;

-- The contents among which all matches of leaves that must all match are; of_leaves: their numbers, in the order of
-- $1 and $3. Each leaf matches in the document, which the index answers at the cost of the rarest word, or some leaf
-- matches in the name.
CREATE OR REPLACE FUNCTION tarsier.leaf_candidates(of_leaves int[], query jsonb) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '(SELECT instance, content FROM tarsier.document WHERE terms @@ (' || string_agg(format('($1)[%s]', n + 1), ' && ') || ')' ||
		coalesce(' UNION SELECT instance, content FROM tarsier.place WHERE terms @@ (' || string_agg(format('($3)[%s]', n + 1), ' || ')
			FILTER (WHERE query->'leaves'->n->>'scope' IN ('any', 'filename')) || ')', '') || ')'
	FROM unnest(of_leaves) n
$$;

-- The contents among which all matches are, found by the indexes of words; NULL: that may be all.
CREATE OR REPLACE FUNCTION tarsier.candidates(node jsonb, query jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	found text;
	leaves int[] := ARRAY(SELECT (child->>'leaf')::int FROM jsonb_array_elements(
		CASE WHEN node ? 'and' THEN node->'and' WHEN node ? 'leaf' THEN jsonb_build_array(node) ELSE '[]' END) child
		WHERE query->'leaves'->((child->>'leaf')::int)->>'path' IS NULL AND child ? 'leaf');
BEGIN
	IF node ? 'leaf' OR node ? 'and' THEN
		SELECT '(' || string_agg(c.part, ' INTERSECT ') || ')' INTO found
			FROM (SELECT tarsier.leaf_candidates(leaves, query) AS part WHERE cardinality(leaves) > 0
				UNION ALL SELECT tarsier.candidates(child, query) FROM jsonb_array_elements(node->'and') child
				WHERE NOT child ? 'leaf') c;
	ELSIF node ? 'or' THEN
		SELECT CASE WHEN bool_and(c.part IS NOT NULL) THEN '(' || string_agg(c.part, ' UNION ') || ')' END INTO found
			FROM (SELECT tarsier.candidates(child, query) AS part FROM jsonb_array_elements(node->'or') child) c;
	END IF;
	RETURN found;
END
$$;

-- The documents that match a query of the client and that the caller may read. total: the number of all, also in the
-- single row without a document if the page is empty. query->'places': each place is a match of its own. Paths are
-- base64 of their bytes, those of more places are parted by blanks. In the snippet, words stand between U+0002 and
-- U+0003.
CREATE OR REPLACE FUNCTION tarsier.find(query jsonb, most int, skip int)
RETURNS TABLE(total bigint, path text, source text, copies text, member text, kind text, mime text, title text, author text,
	lang text, date bigint, mtime bigint, size bigint, state text, pages bigint, seconds bigint, score real, snippet text,
	host text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
	documents tsquery[] := '{}';
	names tsquery[] := '{}';
	loose tsquery[] := '{}';
	phrases text[] := '{}';
	name_phrases text[] := '{}';
	wanted tsquery;
	known text[] := tarsier.texts(query->'languages');
	leaf jsonb;
	marks text[];
	candidates text;
	orders text;
	descending boolean := NOT coalesce((query->>'reverse')::boolean, false);
BEGIN
	IF length(query::text) > 1000000 OR jsonb_typeof(query->'leaves') IS DISTINCT FROM 'array'
			OR jsonb_typeof(query->'filters') IS DISTINCT FROM 'array' OR jsonb_array_length(query->'leaves') > 64
			OR jsonb_array_length(query->'filters') > 1000 THEN
		PERFORM tarsier.refuse('it is too large, or no query');
	END IF;
	FOR leaf IN SELECT jsonb_array_elements(query->'leaves') LOOP
		marks := CASE leaf->>'scope' WHEN 'any' THEN '{"",^}' WHEN 'body' THEN '{""}' WHEN 'filename' THEN '{member:}'
			ELSE ARRAY[(leaf->>'scope') || ':'] END;
		leaf := tarsier.leaf_held(leaf, marks);
		documents := documents || tarsier.leaf_query(leaf, marks, known, false);
		names := names || tarsier.leaf_query(leaf, '{""}', known, false);
		loose := loose || tarsier.leaf_query(leaf, '{""}', known, true);
		name_phrases := array_append(name_phrases, tarsier.leaf_phrase(leaf));
		phrases := array_append(phrases, CASE leaf->>'scope' WHEN 'any' THEN '' WHEN 'filename' THEN '\nmember:[^\n]*'
			ELSE '\n' || regexp_replace(leaf->>'scope', '[^a-z]', '', 'g') || ':[^\n]*' END || tarsier.leaf_phrase(leaf));
	END LOOP;
	SELECT coalesce(string_agg(q::text, ' | '), '')::tsquery INTO wanted
		FROM (SELECT config FROM tarsier.language UNION SELECT 'simple') c, unnest(tarsier.texts(query->'rank')) word,
			phraseto_tsquery(c.config, word) q
		WHERE numnode(q) > 0;
	candidates := tarsier.candidates(query->'tree', query);
	orders := CASE query->>'sort' WHEN 'date' THEN 'sort_date' WHEN 'size' THEN 'sort_size' WHEN 'name' THEN 'sort_name'
		WHEN 'path' THEN 'sort_path' ELSE 'score' END;
	IF orders IN ('sort_name', 'sort_path') THEN descending := NOT descending; END IF;
	RETURN QUERY EXECUTE
		CASE WHEN candidates IS NULL THEN 'WITH ' ELSE 'WITH candidate AS MATERIALIZED ' || candidates || ', ' END ||
		'hit AS MATERIALIZED (
			SELECT d.instance, d.number, d.words, p.words AS name_words, p.path, p.exact, p.source,
				CASE WHEN d.member IS NULL THEN p.mtime ELSE d.mtime END AS mtime, d.date, d.size, d.member
			FROM ' || CASE WHEN candidates IS NULL THEN 'tarsier.place p'
				ELSE 'candidate c JOIN tarsier.place p ON p.instance = c.instance AND p.content = c.content' END || '
			JOIN tarsier.document d ON d.instance = p.instance AND d.content = p.content
			WHERE p.allow && $8 AND NOT p.deny && $8 AND ' || tarsier.condition(query->'tree', query) || '
		), one AS MATERIALIZED (
			SELECT h.instance, h.number, min(h.path) AS sort_path,
				(array_agg(CASE h.exact WHEN '''' THEN translate(encode(convert_to(h.path, ''UTF8''), ''base64''), E''\n'', '''')
					ELSE h.exact END ORDER BY h.path, h.exact))[1:1001] AS paths,
				(array_agg(h.source ORDER BY h.path, h.exact))[1] AS source,
				(array_agg(h.mtime ORDER BY h.path, h.exact))[1] AS mtime,
				coalesce(max(h.date), (array_agg(h.mtime ORDER BY h.path, h.exact))[1]) AS sort_date,
				max(h.size) AS sort_size, lower(regexp_replace(coalesce(max(h.member), min(h.path)), ''^.*/'', '''')) AS sort_name,
				max(ts_rank_cd(h.words, $9, 1) + ts_rank_cd(h.name_words, $9, 1))::real AS score
			FROM hit h
			GROUP BY h.instance, h.number, CASE WHEN $10 THEN h.path END, CASE WHEN $10 THEN h.exact END
		), page AS (
			SELECT o.*, row_number() OVER (ORDER BY ' || orders || CASE WHEN descending THEN ' DESC' ELSE '' END ||
				' NULLS LAST, sort_path, instance, number) AS place
			FROM one o ORDER BY place LIMIT least(greatest($11, 0), 10000) OFFSET greatest($12, 0)
		)
		SELECT (SELECT count(*) FROM one), g.paths[1], g.source, array_to_string(g.paths[2:], '' ''), d.member, d.kind, d.mime,
			d.title, d.author, d.lang, floor(extract(epoch FROM d.date))::bigint, floor(extract(epoch FROM g.mtime))::bigint,
			d.size, d.state, d.pages, d.seconds, g.score,
			CASE WHEN $13 AND numnode($9) > 0 THEN ts_headline(tarsier.config(d.lang),
				translate(substr(d.text, greatest(strpos(lower(d.text), lower($14)) - 1000, 1), 20000), U&''\0002\0003'', ''  ''), $9,
				U&''StartSel="\0002", StopSel="\0003", MaxWords=35, MinWords=15'') END,
			(SELECT i.host FROM tarsier.instance i WHERE i.instance = g.instance)
		FROM (SELECT 1) always LEFT JOIN page g ON true
		LEFT JOIN tarsier.document d ON d.instance = g.instance AND d.number = g.number
		ORDER BY g.place'
		USING documents, names, loose, phrases, name_phrases, query->'filters', query->'leaves', tarsier.tokens(), wanted,
			coalesce((query->>'places')::boolean, false), most, skip, coalesce((query->>'snippets')::boolean, false),
			coalesce(trim(both '"=*' from query->'rank'->>0), '');
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tarsier FROM PUBLIC;
GRANT USAGE ON SCHEMA tarsier TO PUBLIC;
GRANT EXECUTE ON FUNCTION tarsier.search(text, int, int) TO PUBLIC;
GRANT EXECUTE ON FUNCTION tarsier.find(jsonb, int, int) TO PUBLIC;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/same-signs.h"
#include "index/store/states.h"
#include "index/text/joined-words.h"
#include "index/text/marked-words.h"
#include "common/base/autofd.h"
#include "common/base/mounts.h"
#include "common/base/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* The part of its score that a document loses if none of the words of the query are joined by the
 * same signs. */
#define OTHER_COST 0.6
#define UNKNOWN_COST 0.3
/* The same if it has a marked word only in another spelling. */
#define SPELLING_COST 0.4

/* Texts of so many bytes are read for any word: letters, notes, mails. */
#define SHORT_TEXT (4 << 10)

/* The entries of a document that are looked at. */
#define MOST_NAMES "4"

struct SameSigns {
	const Search *s;
	GPtrArray *joined; /* char *: the joined words of the query */
	GPtrArray *marked; /* MarkedWord */
	bool *varied; /* for each of them: a hit had another spelling */
	Mounts *mounts; /* NULL: no file was read yet */
	unsigned texts_left;
	size_t bytes_left;
};

/* The texts of a group that are compared. */
typedef struct {
	GPtrArray *names; /* char *: paths, the title, the path in the container */
	char *path; /* of a file of plain text that the user may read; NULL: there is none */
	EntryStat indexed; /* the file as it was indexed: number, size and time */
	int64_t text_bytes; /* of the document */
	bool markup; /* it may write a sign as an entity */
	bool german; /* in German, or in a language that is not known */
	bool mail; /* it may be encoded, so that it may have signs that its bytes do not show */
} SignsPlace;

typedef enum { SIGNS_SAME, SIGNS_UNKNOWN, SIGNS_OTHER } SignsState;

static const char signs_document_sql[] =
        "SELECT n.id, n.parent, n.name, i.kind, f.member, f.title, coalesce(f.mime, c.mime), "
        "i.ino, i.size, i.mtime_ns, f.lang, f.text_bytes, i.birth_ns FROM document d CROSS JOIN "
        "inode i ON "
        "i.content = "
        "d.content "
        "CROSS JOIN node n ON n.inode = i.id LEFT JOIN content c ON c.id = d.content LEFT JOIN "
        "fact f ON f.document = d.id WHERE d.id = ?1 AND i.state <> " SQL_INODE_ORPHAN
        " LIMIT " MOST_NAMES;
static const char signs_node_sql[] = "SELECT n.id, n.parent, n.name, i.kind, NULL, NULL, NULL, 0, "
                                     "0, 0, NULL, 0, 0 FROM node n CROSS JOIN "
                                     "inode i ON i.id = n.inode WHERE n.id = ?1";

/* ---- the words of the query */

static void same_signs_add_word(GPtrArray *joined, const char *query, const SearchTerm *term)
{
	const QueryNode *node = term->node;
	size_t length = strlen(query);
	if (!term->scored || node->pattern || node->prefix || node->edits > 0 || node->parts ||
	        node->position > length || node->length > length - node->position)
		return;
	char *words = joined_words_of(query + node->position, node->length, node->tokens);
	if (words)
		g_ptr_array_add(joined, words);
}

static void same_signs_add_marked(GPtrArray *marked, const char *query, const SearchTerm *term)
{
	const QueryNode *node = term->node;
	size_t length = strlen(query);
	if (!term->scored || node->pattern || node->prefix || node->edits > 0 ||
	        node->position > length || node->length > length - node->position)
		return;
	for (char **token = node->tokens; *token; token++) {
		MarkedWord *word = marked_word_of(query + node->position, node->length, *token,
		        (const char *const *)node->spellings);
		if (word)
			g_ptr_array_add(marked, word);
	}
}

SameSigns *same_signs_new(const Search *s)
{
	g_autoptr(GPtrArray) joined = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) marked =
	        g_ptr_array_new_with_free_func((GDestroyNotify)marked_word_free);
	for (guint i = 0; s->plan->text && i < s->plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(s->plan->terms, SearchTerm, i);
		same_signs_add_word(joined, s->plan->text, term);
		same_signs_add_marked(marked, s->plan->text, term);
	}
	if (joined->len + marked->len == 0)
		return NULL;
	SameSigns *signs = g_new0(SameSigns, 1);
	bool *varied = g_new0(bool, marked->len + 1);
	*signs = (SameSigns){.s = s,
	        .joined = g_steal_pointer(&joined),
	        .marked = g_steal_pointer(&marked),
	        .varied = varied,
	        .texts_left = SAME_SIGNS_TEXTS,
	        .bytes_left = SAME_SIGNS_BYTES};
	return signs;
}

void same_signs_free(SameSigns *signs)
{
	if (!signs)
		return;
	g_ptr_array_unref(signs->joined);
	g_ptr_array_unref(signs->marked);
	g_free(signs->varied);
	if (signs->mounts)
		mounts_free(signs->mounts);
	g_free(signs);
}

/* ---- where a group may have them */

static void signs_place_clear(SignsPlace *place)
{
	g_clear_pointer(&place->names, g_ptr_array_unref);
	g_clear_pointer(&place->path, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SignsPlace, signs_place_clear)

static void signs_place_add_name(SignsPlace *place, const unsigned char *name)
{
	if (name)
		g_ptr_array_add(place->names, g_strdup((const char *)name));
}

static bool signs_are_markup(const char *mime)
{
	return strstr(mime, "html") || strstr(mime, "xml");
}

static bool signs_are_readable(const char *mime)
{
	static const char *const types[] = {
	        "application/json", "application/xml", "application/xhtml+xml", NULL};
	return g_str_has_prefix(mime, "text/") || g_str_has_prefix(mime, "message/") ||
	       g_strv_contains(types, mime);
}

static void signs_place_add_row(const Search *s, SignsPlace *place, sqlite3_stmt *row)
{
	bool offline;
	const unsigned char *member = sqlite3_column_text(row, 4);
	const char *mime = (const char *)sqlite3_column_text(row, 6);
	char *path = reader_path(s->r, sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 0),
	        sqlite3_column_blob(row, 2), sqlite3_column_bytes(row, 2), NULL);
	if (!path)
		return;
	g_ptr_array_add(place->names, path);
	signs_place_add_name(place, member);
	signs_place_add_name(place, sqlite3_column_text(row, 5));
	const char *language = (const char *)sqlite3_column_text(row, 10);
	place->german |= !language || !*language || g_str_has_prefix(language, "de");
	place->text_bytes = sqlite3_column_int64(row, 11);
	if (place->path || member || !mime || sqlite3_column_int(row, 3) != ENTRY_FILE ||
	        path_is_web(path) || !signs_are_readable(mime) ||
	        !search_row_allowed(s, row, &offline) || offline)
		return;
	place->path = g_strdup(path);
	place->indexed = (EntryStat){.ino = sqlite3_column_int64(row, 7),
	        .birth_ns = sqlite3_column_int64(row, 12),
	        .size = sqlite3_column_int64(row, 8),
	        .mtime_ns = sqlite3_column_int64(row, 9)};
	place->markup = signs_are_markup(mime);
	place->mail = g_str_has_prefix(mime, "message/");
}

static bool signs_place_fill(
        const Search *s, const SearchMatch *match, SignsPlace *place, GError **error)
{
	sqlite3_stmt *statement = reader_statement(
	        s->r, match->document != 0 ? signs_document_sql : signs_node_sql, error);
	int row = statement ? 1 : -1;
	place->names = g_ptr_array_new_with_free_func(g_free);
	if (statement)
		sqlite3_bind_int64(
		        statement, 1, match->document != 0 ? match->document : match->node);
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0)
		signs_place_add_row(s, place, statement);
	return row == 0;
}

/* ---- texts */

/* Opens the file that was indexed, as it was then: another one may be in its place. The type comes
 * first, because opening a device can have side effects. */
static int signs_open(const SignsPlace *place)
{
	enum { S_NS = 1000 * 1000 * 1000 };
	struct stat info;
	if (lstat(place->path, &info) != 0 || !S_ISREG(info.st_mode))
		return -1;
	autofd fd = open(place->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
		return -1;
	int64_t mtime_ns = info.st_mtim.tv_sec * (int64_t)S_NS + info.st_mtim.tv_nsec;
	bool same = entry_is_inode(&place->indexed, info.st_ino) &&
	            info.st_size == place->indexed.size && mtime_ns == place->indexed.mtime_ns;
	return same ? autofd_steal(&fd) : -1;
}

/* Reads the beginning of the file. NULL: it cannot be read, or holds no text. */
static char *signs_read_file(const SignsPlace *place, size_t most, size_t *length_r, bool *whole_r)
{
	size_t length = 0;
	autofd fd = signs_open(place);
	if (fd < 0)
		return NULL;
	most = MIN(most, (size_t)place->indexed.size);
	g_autofree char *text = g_malloc(most + 1);
	while (length < most) {
		ssize_t got = pread(fd, text + length, most - length, (off_t)length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		length += got;
	}
	*length_r = length;
	*whole_r = length == (size_t)place->indexed.size;
	return memchr(text, '\0', length) ? NULL : g_steal_pointer(&text);
}

static bool signs_may_read(SameSigns *signs, const char *path)
{
	if (!signs->mounts) {
		signs->mounts = mounts_new(NULL);
		mounts_read(signs->mounts, NULL, NULL);
	}
	return !mounts_may_hang(signs->mounts, path);
}

typedef struct {
	Document *cached; /* NULL: the text is that of a file */
	char *file;
	const char *text; /* NULL: there is none */
	size_t length;
	char *folded; /* NULL: it was not needed yet */
	bool all; /* the document has no signs that the text lacks */
	bool markup;
} SignsText;

static void signs_text_clear(SignsText *text)
{
	document_free(text->cached);
	g_free(text->file);
	g_free(text->folded);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SignsText, signs_text_clear)

/* A cache that cannot be read is none. */
static void signs_text_read(
        SameSigns *signs, int64_t document, const SignsPlace *place, SignsText *out)
{
	if (signs->texts_left == 0 || signs->bytes_left == 0 || document == 0)
		return;
	out->cached = reader_cached_text(signs->s->r, document, NULL);
	if (out->cached) {
		out->text = out->cached->text->str;
		out->length = out->cached->text->len;
		out->all = true;
	} else if (place->path && signs_may_read(signs, place->path)) {
		out->text = out->file = signs_read_file(place,
		        MIN(SAME_SIGNS_FILE_BYTES, signs->bytes_left), &out->length, &out->all);
		out->all &= !place->mail;
		out->markup = place->markup;
	}
	signs->texts_left -= out->text != NULL;
	signs->bytes_left -= MIN(out->length, signs->bytes_left);
}

/* ---- the factor */

static bool signs_in_names(const char *joined, const SignsPlace *place)
{
	for (guint i = 0; i < place->names->len; i++) {
		g_autofree char *folded = NULL;
		const char *name = place->names->pdata[i];
		if (joined_words_occur(joined, name, strlen(name), &folded))
			return true;
	}
	return false;
}

/* Of the signs in a page, "x-&gt;y" is looked for too; words across tags are not. */
static SignsState signs_in_text(const char *joined, SignsText *text)
{
	g_autofree char *escaped = text->markup ? g_markup_escape_text(joined, -1) : NULL;
	if (!text->text)
		return SIGNS_UNKNOWN;
	if (joined_words_occur(joined, text->text, text->length, &text->folded) ||
	        (escaped && joined_words_occur(escaped, text->text, text->length, &text->folded)))
		return SIGNS_SAME;
	return text->all ? SIGNS_OTHER : SIGNS_UNKNOWN;
}

static MarkedState marked_in_names(const MarkedWord *word, const SignsPlace *place)
{
	MarkedState state = MARKED_NONE;
	for (guint i = 0; i < place->names->len && state != MARKED_SAME; i++) {
		const char *name = place->names->pdata[i];
		state = MIN(state, marked_word_state(word, name, strlen(name)));
	}
	return state;
}

/* Few plain words are ever written with marks, and reading long texts takes time: for that, a name,
 * a title or a hit before must have shown that this one is. */
static bool marked_must_read(
        const SameSigns *signs, guint i, const SignsPlace *place, MarkedState names)
{
	MarkedKind kind = marked_word_kind(signs->marked->pdata[i]);
	return kind == MARKED_LETTERS || (kind == MARKED_SHARP && place->german) ||
	       names == MARKED_OTHER || signs->varied[i] || place->text_bytes <= SHORT_TEXT;
}

/* The cost of a marked word. read: has the text been read? */
static double marked_cost(SameSigns *signs, const SearchMatch *match, guint i,
        const SignsPlace *place, SignsText *text, bool *read)
{
	const MarkedWord *word = signs->marked->pdata[i];
	MarkedState state = marked_in_names(word, place);
	if (state == MARKED_SAME)
		return 0;
	if (marked_must_read(signs, i, place, state)) {
		if (!*read)
			signs_text_read(signs, match->document, place, text);
		*read = true;
		if (text->text)
			state = MIN(state, marked_word_state(word, text->text, text->length));
	}
	signs->varied[i] |= state == MARKED_OTHER;
	return state == MARKED_OTHER ? SPELLING_COST : 0;
}

bool same_signs_factor(SameSigns *signs, const SearchMatch *match, double *factor_r, GError **error)
{
	static const double costs[] = {
	        [SIGNS_SAME] = 0, [SIGNS_UNKNOWN] = UNKNOWN_COST, [SIGNS_OTHER] = OTHER_COST};
	g_auto(SignsPlace) place = {0};
	g_auto(SignsText) text = {0};
	bool read = false;
	double cost = 0, spelling = 0;
	*factor_r = 1;
	if (!signs_place_fill(signs->s, match, &place, error))
		return false;
	for (guint i = 0; i < signs->joined->len; i++) {
		const char *joined = signs->joined->pdata[i];
		if (signs_in_names(joined, &place))
			continue;
		if (!read)
			signs_text_read(signs, match->document, &place, &text);
		read = true;
		cost += costs[signs_in_text(joined, &text)];
	}
	for (guint i = 0; i < signs->marked->len; i++)
		spelling += marked_cost(signs, match, i, &place, &text, &read);
	double scored = signs->s->plan->n_scored;
	*factor_r = (1 - cost / MAX(MAX(scored, signs->joined->len), 1)) *
	            (1 - spelling / MAX(MAX(scored, signs->marked->len), 1));
	return true;
}

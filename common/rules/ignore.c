/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/rules/ignore.h"
#include "common/base/glob.h"
#include "common/base/text.h"
#include <string.h>

/* A step of a smaller automaton costs as much as one of MIN_WORDS words. */
enum { WORD_BITS = 64, MIN_WORDS = 4 };

/* How a pattern is compared. Most patterns need no automaton. */
typedef enum { BY_NAME, BY_SUFFIX, BY_PREFIX, BY_PATH, BY_NAME_GLOB, BY_PATH_GLOB } MatchKind;

/* Texts are offsets into the text of the list. */
typedef struct {
	guint literal, length; /* the fixed bytes, for kinds without an automaton */
	guint why; /* the end of the reason */
	guint glob; /* number in the automaton */
	MatchKind kind;
	bool negated, dir_only;
} IgnorePattern;

/* The cost of patterns, which is limited for those in effect in one directory. */
typedef struct {
	guint patterns;
	size_t bytes, words;
} IgnoreCost;

struct IgnoreList {
	GArray *patterns; /* IgnorePattern */
	GString *text;
	GlobSet *names, *paths; /* patterns with wildcards, of names and of relative paths */
	char *shown; /* the beginning of every reason */
	char *why; /* the last reason that was given */
	size_t name_bytes,
	        path_bytes; /* of the patterns in names and in paths, each with its NUL */
	IgnoreCost cost; /* with the lists above */
	bool limited, needs_path;
};

IgnoreList *ignore_list_new(void)
{
	IgnoreList *list = g_new0(IgnoreList, 1);
	list->patterns = g_array_new(FALSE, FALSE, sizeof(IgnorePattern));
	list->text = g_string_new(NULL);
	list->names = glob_set_new(GLOB_GITIGNORE);
	list->paths = glob_set_new(GLOB_GITIGNORE);
	list->shown = g_strdup("");
	return list;
}

IgnoreList *ignore_list_new_below(const IgnoreList *above)
{
	IgnoreList *list = ignore_list_new();
	list->limited = true;
	if (above)
		list->cost = above->cost;
	return list;
}

void ignore_list_free(IgnoreList *list)
{
	if (!list)
		return;
	g_array_unref(list->patterns);
	g_string_free(list->text, TRUE);
	glob_set_free(list->names);
	glob_set_free(list->paths);
	g_free(list->shown);
	g_free(list->why);
	g_free(list);
}

/* ---- adding */

static MatchKind ignore_kind_of(const char *pattern)
{
	size_t length = strlen(pattern), fixed = strcspn(pattern, "*?[\\");
	if (strchr(pattern, '/'))
		return fixed == length ? BY_PATH : BY_PATH_GLOB;
	if (fixed == length)
		return BY_NAME;
	if (fixed == length - 1 && pattern[fixed] == '*')
		return BY_PREFIX;
	if (pattern[0] == '*' && !strpbrk(pattern + 1, "*?[\\"))
		return BY_SUFFIX;
	return BY_NAME_GLOB;
}

/* Trailing spaces are ignored unless a backslash escapes them. */
static size_t trimmed_length(const char *line, size_t length)
{
	size_t trimmed = 0;
	if (length > 0 && line[length - 1] == '\r')
		length--;
	for (size_t i = 0; i < length; i++) {
		bool escape = line[i] == '\\';
		i += escape;
		if (escape || line[i] != ' ')
			trimmed = MIN(i + 1, length);
	}
	return trimmed;
}

/* Appends the text with its NUL. Returns where it is. */
static guint ignore_append_text(IgnoreList *list, const char *text, size_t length)
{
	guint at = list->text->len;
	g_string_append_len(list->text, text, length);
	g_string_append_c(list->text, '\0');
	return at;
}

static bool is_glob(MatchKind kind)
{
	return kind == BY_NAME_GLOB || kind == BY_PATH_GLOB;
}

/* Reads a pattern without its "!". Returns what is left to compare, which may be empty. */
static const char *ignore_read(IgnorePattern *item, char *text)
{
	size_t length = strlen(text);
	if (length > 1 && text[length - 1] == '/') {
		item->dir_only = true;
		text[length - 1] = '\0';
	}
	item->kind = ignore_kind_of(text); /* a leading slash anchors the pattern */
	return text + (*text == '/');
}

/* The cost of an automaton of this many bytes of patterns: a state for each byte, NULs included. */
static size_t words_of(size_t bytes)
{
	return bytes > 0 ? MAX(MIN_WORDS, (bytes + WORD_BITS - 1) / WORD_BITS) : 0;
}

/* The cost that a pattern of this many bytes adds. */
static size_t added_words(const IgnoreList *list, const IgnorePattern *item, size_t bytes)
{
	size_t old = item->kind == BY_NAME_GLOB ? list->name_bytes : list->path_bytes;
	return is_glob(item->kind) ? words_of(old + bytes) - words_of(old) : 0;
}

static bool ignore_has_room(const IgnoreList *list, const IgnorePattern *item, size_t length)
{
	if (length > IGNORE_MAX_PATTERN_BYTES || list->cost.patterns >= IGNORE_MAX_PATTERNS)
		return false;
	return !list->limited ||
	       (list->cost.bytes + length <= IGNORE_MAX_BYTES &&
	               list->cost.words + added_words(list, item, length + 1) <= IGNORE_MAX_WORDS);
}

/* Adds a pattern with wildcards to its automaton; false if it is malformed. */
static bool add_glob(IgnoreList *list, IgnorePattern *item, const char *text)
{
	bool names = item->kind == BY_NAME_GLOB;
	GlobSet *set = names ? list->names : list->paths;
	size_t bytes = strlen(text) + 1;
	list->cost.words += added_words(list, item, bytes);
	*(names ? &list->name_bytes : &list->path_bytes) += bytes;
	item->glob = glob_set_length(set);
	return glob_set_add(set, text);
}

/* False if the pattern can never match. */
static bool ignore_add_pattern(IgnoreList *list, IgnorePattern *item, const char *text)
{
	if (*text == '\0')
		return false;
	if (is_glob(item->kind))
		return add_glob(list, item, text);
	text += item->kind == BY_SUFFIX;
	item->length = strlen(text) - (item->kind == BY_PREFIX);
	item->literal = ignore_append_text(list, text, item->length);
	return true;
}

/* number: that of the line, which becomes the end of the reason; 0: why is the reason. */
static bool ignore_add_line(
        IgnoreList *list, const char *line, size_t length, guint number, const char *why)
{
	length = trimmed_length(line, length);
	if (length == 0 || *line == '#')
		return true;
	IgnorePattern item = {.negated = *line == '!'};
	g_autofree char *text = g_strndup(line + item.negated, length - item.negated);
	const char *pattern = ignore_read(&item, text);
	if (!ignore_has_room(list, &item, length))
		return false;
	if (!ignore_add_pattern(list, &item, pattern))
		return true;
	g_autofree char *shown = text_to_utf8(line, length);
	g_autofree char *end = why ? g_strdup(why) : g_strdup_printf("%u: %s", number, shown);
	item.why = ignore_append_text(list, end, strlen(end));
	list->needs_path = list->needs_path || item.kind == BY_PATH || item.kind == BY_PATH_GLOB;
	list->cost.patterns++;
	list->cost.bytes += length;
	g_array_append_val(list->patterns, item);
	return true;
}

bool ignore_list_add(IgnoreList *list, const char *line, size_t length, const char *why)
{
	return ignore_add_line(list, line, length, 0, why);
}

void ignore_list_finish(IgnoreList *list)
{
	glob_set_compile(list->names);
	glob_set_compile(list->paths);
}

guint ignore_list_add_file(IgnoreList *list, const char *text, size_t length, const char *shown)
{
	const char *end = text + length;
	guint too_many = 0;
	g_free(list->shown);
	list->shown = g_strconcat(shown, ":", NULL);
	if (length >= 3 && memcmp(text, "\357\273\277", 3) == 0)
		text += 3;
	for (guint number = 1; text < end && too_many == 0; number++) {
		const char *newline = memchr(text, '\n', end - text);
		size_t bytes = (newline ? newline : end) - text;
		if (!ignore_add_line(list, text, bytes, number, NULL))
			too_many = number;
		text += bytes + 1;
	}
	ignore_list_finish(list);
	return too_many;
}

bool ignore_list_is_empty(const IgnoreList *list)
{
	return list->patterns->len == 0;
}

bool ignore_list_needs_path(const IgnoreList *list)
{
	return list->needs_path;
}

/* ---- matching */

/* An entry, with the states of both automata after its name and its path. */
typedef struct {
	const char *name, *path;
	size_t name_length, path_length;
	uint64_t *names, *paths;
} IgnoreEntry;

static bool pattern_hits(
        const IgnoreList *list, const IgnorePattern *item, const IgnoreEntry *entry)
{
	const char *name = entry->name, *literal = list->text->str + item->literal;
	size_t length = entry->name_length;
	switch (item->kind) {
	case BY_NAME:
		return length == item->length && memcmp(name, literal, length) == 0;
	case BY_SUFFIX:
		return length >= item->length &&
		       memcmp(name + length - item->length, literal, item->length) == 0;
	case BY_PREFIX:
		return length >= item->length && memcmp(name, literal, item->length) == 0;
	case BY_PATH:
		return entry->path_length == item->length &&
		       memcmp(entry->path, literal, item->length) == 0;
	case BY_NAME_GLOB:
		return glob_set_matches(list->names, entry->names, item->glob);
	case BY_PATH_GLOB:
		return glob_set_matches(list->paths, entry->paths, item->glob);
	}
	return false;
}

/* The last pattern that matches, or NULL. */
static const IgnorePattern *ignore_find(
        const IgnoreList *list, const IgnoreEntry *entry, bool is_dir)
{
	for (guint i = list->patterns->len; i > 0; i--) {
		const IgnorePattern *item = &g_array_index(list->patterns, IgnorePattern, i - 1);
		if ((is_dir || !item->dir_only) && pattern_hits(list, item, entry))
			return item;
	}
	return NULL;
}

uint64_t *ignore_list_enter(const IgnoreList *list, const uint64_t *above, const char *name)
{
	size_t words = glob_set_words(list->paths);
	if (words == 0)
		return NULL;
	uint64_t *states = glob_set_start(list->paths);
	if (above) {
		memcpy(states, above, words * sizeof *states);
		glob_set_advance(list->paths, states, name, strlen(name));
		glob_set_advance(list->paths, states, "/", 1);
	}
	return states;
}

IgnoreVerdict ignore_list_match_in(IgnoreList *list, const uint64_t *states, const char *name,
        const char *path, bool is_dir, const char **why_r)
{
	IgnoreEntry entry = {name, path, strlen(name), path ? strlen(path) : 0, NULL, NULL};
	g_autofree uint64_t *names = entry.names = glob_set_start(list->names);
	g_autofree uint64_t *paths = entry.paths =
	        g_memdup2(states, glob_set_words(list->paths) * sizeof *states);
	glob_set_advance(list->names, names, name, entry.name_length);
	if (paths)
		glob_set_advance(list->paths, paths, name, entry.name_length);
	const IgnorePattern *item = ignore_find(list, &entry, is_dir);
	if (!item)
		return IGNORE_NO_MATCH;
	if (why_r) {
		g_free(list->why);
		*why_r = list->why = g_strconcat(list->shown, list->text->str + item->why, NULL);
	}
	return item->negated ? IGNORE_TAKEN_BACK : IGNORE_EXCLUDED;
}

IgnoreVerdict ignore_list_match(
        IgnoreList *list, const char *name, const char *path, bool is_dir, const char **why_r)
{
	g_autofree uint64_t *states = ignore_list_enter(list, NULL, NULL);
	if (states)
		glob_set_advance(list->paths, states, path, strlen(path) - strlen(name));
	return ignore_list_match_in(list, states, name, path, is_dir, why_r);
}

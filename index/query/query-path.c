/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-path.c - a pasted path: absolute, "~/", "./", "file://", in quotes, with the place that a
 * compiler tells after it ("main.c:12:5: error") */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>
#include <sys/stat.h>

static bool query_path_exists(const char *path)
{
	struct stat info;
	return lstat(path, &info) == 0;
}

/* Takes the quotes around the text away. True: it had some. */
static bool drop_quotes(char *text)
{
	size_t length = strlen(text);
	if (length < 2 || (*text != '"' && *text != '\'') || text[length - 1] != *text)
		return false;
	memmove(text, text + 1, length - 2);
	text[length - 2] = '\0';
	return true;
}

/* Returns the absolute path that the text names, or NULL: it is not a path. The caller owns it. */
static char *absolute_path(const char *text, const char *cwd)
{
	if (g_str_has_prefix(text, "file://"))
		return g_filename_from_uri(text, NULL, NULL);
	if (g_str_has_prefix(text, "~/"))
		return g_build_filename(g_get_home_dir(), text + 2, NULL);
	bool relative = g_str_has_prefix(text, "./") || g_str_has_prefix(text, "../");
	if (*text != '/' && !(relative && cwd))
		return NULL;
	return g_canonicalize_filename(text, cwd ? cwd : "/");
}

/* Length of the path before ":12", from an offset on; 0: there is none. */
static size_t length_before_place(const char *text, size_t from)
{
	for (const char *s = strchr(text + from, ':'); s; s = strchr(s + 1, ':'))
		if (g_ascii_isdigit(s[1]))
			return s - text;
	return 0;
}

void query_cut_place(char *path)
{
	size_t length = length_before_place(path, 0);
	if (length > 0)
		path[length] = '\0';
}

/* "a.zip|b/c.txt": returns the path of a member, if its container exists, or NULL. A pipe of a
 * shell has spaces. */
static char *path_of_member(const char *text, const char *cwd)
{
	for (const char *s = strchr(text, '|'); s; s = strchr(s + 1, '|')) {
		g_autofree char *piece = g_strndup(text, s - text);
		g_autofree char *outer = absolute_path(piece, cwd);
		if (s > text && s[-1] != ' ' && s[1] && s[1] != ' ' && outer &&
		        g_file_test(outer, G_FILE_TEST_IS_REGULAR))
			return g_strconcat(outer, s, NULL);
	}
	return NULL;
}

/* Returns the path of a file that exists, if the text names one. *rest_r: what follows it, inside
 * the text. */
static char *existing_path(const char *text, const char *cwd, const char **rest_r)
{
	size_t length = strlen(text);
	for (size_t next = length; next > 0;
	        next = length_before_place(text, next == length ? 0 : next + 1)) {
		g_autofree char *piece = g_strndup(text, next);
		g_autofree char *path = absolute_path(piece, cwd);
		*rest_r = text + next;
		if (path && query_path_exists(path))
			return g_steal_pointer(&path);
	}
	return NULL;
}

/* The words of the path, and the path itself. NULL: it has no word. */
static QueryNode *path_node(QueryParse *p, QueryScope scope, const char *words, const char *path)
{
	g_autofree char *copy = g_strdup(words);
	const QueryValue value = {.text = copy, .quoted = true, .length = p->length};
	QueryNode *node = g_utf8_validate(words, -1, NULL) && query_has_word(words, strlen(words))
	                          ? query_words_node(p, scope, &value)
	                          : NULL;
	if (node) {
		g_free(node->path); /* the words may look like a relative path */
		node->path = g_strdup(path);
	}
	return node;
}

/* "/a/b", but neither "/a" nor a pattern nor a text that goes on after a path. */
static bool is_plain_path(const char *text, bool quoted)
{
	const char *slash = strrchr(text, '/');
	return slash && slash > text && slash[1] && !strpbrk(text, "*?[\"") &&
	       (quoted || !strpbrk(text, " \t\n"));
}

/* A path that does not exist: texts may name it as it was written ("~/.bashrc"), and a file of that
 * name may be elsewhere. */
static QueryNode *missing_path_node(QueryParse *p, const char *written, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	g_autoptr(QueryNode) whole = path_node(p, SCOPE_ANY, written, path);
	g_autoptr(QueryNode) named = whole ? path_node(p, SCOPE_FILENAME, name, NULL) : NULL;
	if (!named)
		return NULL;
	QueryNode *either = query_node_new(QUERY_OR, 0, p->length);
	query_node_add(either, g_steal_pointer(&whole));
	query_node_add(either, g_steal_pointer(&named));
	query_note(p,
	        _("There is no file \"%s\", so texts that name it and files of that name "
	          "were searched"),
	        path);
	return either;
}

QueryNode *query_path_node(QueryParse *p)
{
	const char *cwd = p->options->cwd, *rest = "";
	g_autofree char *text = g_strdup(p->text);
	g_strstrip(text);
	bool quoted = drop_quotes(text);
	if (!g_utf8_validate(text, -1, NULL) || p->length > QUERY_MAX_BYTES)
		return NULL;
	g_autofree char *path = existing_path(text, cwd, &rest);
	if (!path)
		path = path_of_member(text, cwd);
	else if (rest[strspn(rest, ":0123456789 ")])
		query_note(p, _("Left out after the path: %s"), rest);
	if (path)
		return path_node(p, SCOPE_ANY, path, path);
	if (!is_plain_path(text, quoted))
		return NULL;
	path = absolute_path(text, cwd);
	if (path)
		query_cut_place(path);
	query_cut_place(text);
	return path && is_plain_path(path, quoted)
	               ? missing_path_node(p, strchr("~.", *text) ? text : path, path)
	               : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-place.c - a text that begins with a place in a source: "src/main.c:12:5: error: expected"
 *
 * The rest of the line is the message of a compiler, or another text of the file than the one it
 * had when it was indexed. So the file is found too, whatever the rest. */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

/* Endings of names that are no host: "example.org:8080" is none. */
static bool place_has_ending_of_source(const char *ending)
{
	static const char *const endings[] = {"adoc", "asm", "awk", "bash", "bat", "c", "cc", "cfg",
	        "clj", "cmake", "conf", "cpp", "cs", "css", "csv", "cu", "cxx", "dart", "el", "erl",
	        "ex", "f90", "go", "gradle", "h", "hh", "hpp", "hs", "html", "hxx", "ini", "ino",
	        "java", "jl", "js", "json", "jsx", "kt", "less", "lisp", "log", "lua", "m", "md",
	        "mjs", "mk", "ml", "nix", "org", "patch", "php", "pl", "pm", "proto", "ps1", "py",
	        "pyx", "r", "rb", "rs", "rst", "s", "scala", "scm", "scss", "sh", "sql", "svelte",
	        "swift", "tcl", "tex", "toml", "ts", "tsx", "txt", "v", "vb", "vhd", "vim", "vue",
	        "xml", "yaml", "yml", "zig", NULL};
	g_autofree char *small = g_ascii_strdown(ending, -1);
	return g_strv_contains(endings, small);
}

/* "src/a.b" and "a.c", but neither "a/b" nor "a.b". */
static bool place_is_of_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *point = strrchr(name, '.');
	if (!point || point == name || strpbrk(path, "\"'*?[](){}<>|=@,;$\\") || strstr(path, "//"))
		return false;
	size_t length = strlen(point + 1);
	return slash ? length > 0 && length < 8 && g_ascii_isalpha(point[1])
	             : strcmp(point, ".org") != 0 && place_has_ending_of_source(point + 1);
}

/* Returns the path before ":12" at the beginning of the text, without the directories "." and "..",
 * or NULL: there is none. The caller owns it. */
static char *place_path(const QueryParse *p)
{
	size_t begin = p->at;
	for (size_t space; (space = query_space(p, begin)) > 0;)
		begin += space;
	const char *text = p->text + begin, *colon = strchr(text, ':');
	while (g_str_has_prefix(text, "./") || g_str_has_prefix(text, "../"))
		text = strchr(text, '/') + 1;
	if (!colon || colon < text || !g_ascii_isdigit(colon[1]) || *text == '/')
		return NULL;
	const char *after = colon + strspn(colon, ":0123456789");
	bool ends = !*after || query_space(p, after - p->text) > 0 || after[-1] == ':';
	g_autofree char *path = g_strndup(text, colon - text);
	bool blank = path[strcspn(path, " \t\r\n")] != '\0';
	return ends && !blank && place_is_of_file(path) ? g_steal_pointer(&path) : NULL;
}

QueryNode *query_or_place(QueryParse *p, QueryNode *root)
{
	g_autofree char *path = root->path ? NULL : place_path(p);
	if (!path)
		return root;
	const QueryValue value = {
	        .text = path, .quoted = true, .position = p->at, .length = strlen(path)};
	QueryNode *file = query_words_node(p, SCOPE_FILENAME, &value);
	if (!file)
		return root;
	if (strchr(path, '/')) {
		g_free(file->path);
		file->path = g_strdup(path);
	}
	QueryNode *either = query_node_new(QUERY_OR, root->position, root->length);
	query_node_add(either, root);
	query_node_add(either, file);
	query_note(p, _("Files named \"%s\" were searched too"), path);
	return either;
}

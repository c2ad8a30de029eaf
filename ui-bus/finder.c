/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/finder.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common/ipc/control.h"
#include "ui-bus/hit-id.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/live.h"
#include "ui-cli/app/target.h"
#include "ui-cli/print/printer.h"
#include <poll.h>
#include <string.h>

/* WAIT_MS: a hit whose passage is not ready by then is described without it. */
enum { WAIT_MS = 40, PASSAGES_MS = 300, LOOK_MS = 2, NAME_CHARS = 120, PASSAGE_CHARS = 100 };

typedef struct {
	Cli *cli;
	int socket;
	Live live; /* the last search */
	Snippets *snippets; /* of its hits, begun before they are asked for; NULL: none */
} HitFinder;

/* A request is sent after the answer to the one before, so what comes earlier is "stop", or the
 * end. */
static bool finder_is_told(void *data)
{
	const HitFinder *finder = data;
	struct pollfd one = {.fd = finder->socket, .events = POLLIN};
	return poll(&one, 1, 0) > 0;
}

/* Snippets borrow what they are made for. */
static void finder_forget(HitFinder *finder)
{
	g_clear_pointer(&finder->snippets, snippets_free);
	live_clear(&finder->live);
}

static bool finder_open(HitFinder *finder, GError **error)
{
	Reader *reader = cli_fresh_reader(finder->cli, error);
	/* the file is read before a transaction begins, and its warnings concern no user here */
	if (!reader || !cli_roots(finder->cli, error))
		return false;
	reader_set_stop(reader, finder_is_told, finder);
	return true;
}

/* ---- texts */

/* One line for people of at most so many characters. The caller frees it. */
static char *finder_line(const char *bytes, unsigned chars)
{
	g_autoptr(GString) line = g_string_new(NULL);
	text_append_visible(line, bytes, -1);
	g_strdelimit(line->str, "\n\t", ' ');
	g_strstrip(line->str);
	if (g_utf8_strlen(line->str, -1) <= (glong)chars)
		return g_strdup(line->str);
	g_autofree char *head = g_utf8_substring(line->str, 0, chars - 1);
	return g_strconcat(head, "…", NULL);
}

/* "~/box.zip|inner/name", with escapes for what would not be shown as it is. */
static char *finder_place(const Info *info)
{
	const char *home = g_get_home_dir();
	bool below = strcmp(home, "/") != 0 && paths_is_below(info->path, home);
	GString *place = g_string_new(below ? "~" : NULL);
	text_append_escaped(place, below ? info->path + strlen(home) : info->path, -1);
	if (info->member) {
		g_string_append_c(place, '|');
		text_append_escaped(place, info->member, -1);
	}
	return g_string_free(place, FALSE);
}

static char *finder_name(const Info *info)
{
	g_autofree char *title = finder_line(info->title ? info->title : "", NAME_CHARS);
	if (*title)
		return g_steal_pointer(&title);
	g_autofree char *base = g_path_get_basename(info->member ? info->member : info->path);
	g_autoptr(GString) name = g_string_new(NULL);
	text_append_escaped(name, base, -1);
	return finder_line(name->str, NAME_CHARS);
}

static char *finder_description(const Info *info, const GPtrArray *passages)
{
	const Snippet *first = passages && passages->len > 0 ? passages->pdata[0] : NULL;
	g_autofree char *place = finder_place(info);
	if (!first)
		return g_steal_pointer(&place);
	g_autofree char *text = finder_line(first->text, 2 * PASSAGE_CHARS);
	g_autofree char *page = first->page > 0 ? snippet_place(first) : NULL;
	return page ? g_strdup_printf("%s, %s — %s", place, page, text)
	            : g_strdup_printf("%s — %s", place, text);
}

static GVariant *finder_hit(const Info *info, const GPtrArray *passages)
{
	GVariantDict hit;
	g_autofree char *id = hit_id_new(info->path, info->member);
	g_autofree char *name = finder_name(info);
	g_autofree char *description = finder_description(info, passages);
	g_autofree char *mime = text_to_utf8(info->mime ? info->mime : "", -1);
	g_variant_dict_init(&hit, NULL);
	g_variant_dict_insert(&hit, "id", "s", id);
	g_variant_dict_insert(&hit, "name", "s", name);
	g_variant_dict_insert(&hit, "description", "s", description);
	g_variant_dict_insert(&hit, "mime", "s", mime);
	g_variant_dict_insert(&hit, "path", "^ay", info->path);
	g_variant_dict_insert(
	        &hit, "folder", "b", info->stat.kind == ENTRY_DIR && info->member == NULL);
	return g_variant_dict_end(&hit);
}

/* ---- requests */

static GVariant *finder_search(HitFinder *finder, GVariant *arguments, GError **error)
{
	const char *text = "";
	GVariantBuilder ids;
	Live *live = &finder->live;
	g_variant_lookup(arguments, "text", "&s", &text);
	finder_forget(finder);
	if (!finder_open(finder, error))
		return NULL;
	live->hits_only = true;
	live_search(live, finder->cli, text, FINDER_HITS);
	g_variant_builder_init(&ids, G_VARIANT_TYPE("as"));
	for (guint i = 0; !live->fault && live->result && i < live->result->hits->len; i++) {
		const Info *info = &((const Hit *)live->result->hits->pdata[i])->info;
		g_autofree char *id = hit_id_new(info->path, info->member);
		g_variant_builder_add(&ids, "s", id);
	}
	return g_variant_builder_end(&ids);
}

/* The number of the hit in the last search; -1: it has no such hit. */
static int finder_known(const HitFinder *finder, const char *path, const char *member)
{
	const SearchResult *result = finder->live.result;
	for (guint i = 0; result && i < result->hits->len; i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		if (strcmp(info->path, path) == 0 && g_strcmp0(info->member, member) == 0)
			return i;
	}
	return -1;
}

static void finder_begin_snippets(HitFinder *finder)
{
	const SnippetLimits limits = {1, PASSAGE_CHARS, PASSAGES_MS};
	const SearchResult *result = finder->live.result;
	if (!finder->live.fault && result && result->hits->len > 0)
		finder->snippets = snippets_new(finder->cli, result, finder->live.query, &limits);
}

/* The passages of a hit, for which is waited as long as there is time and nothing else to do. */
static const GPtrArray *finder_passages(HitFinder *finder, guint hit, int64_t end_us)
{
	struct pollfd told = {.fd = finder->socket, .events = POLLIN};
	bool waits = finder->snippets != NULL;
	while (waits && !snippets_are_ready(finder->snippets, hit))
		waits = g_get_monotonic_time() < end_us && poll(&told, 1, LOOK_MS) == 0;
	return waits ? snippets_of(finder->snippets, hit) : NULL;
}

static GVariant *finder_describe_known(HitFinder *finder, guint hit, int64_t end_us)
{
	const Info *info = &((const Hit *)finder->live.result->hits->pdata[hit])->info;
	Visible *visible = cli_visible(finder->cli, NULL);
	return visible && visible_entry(visible, info, NULL)
	               ? finder_hit(info, finder_passages(finder, hit, end_us))
	               : NULL;
}

/* NULL: there is no such hit any more. A floating reference. */
static GVariant *finder_describe_one(HitFinder *finder, const char *id, int64_t end_us)
{
	g_autofree char *path = NULL, *member = NULL;
	if (!hit_id_parse(id, &path, &member))
		return NULL;
	int hit = finder_known(finder, path, member);
	if (hit >= 0)
		return finder_describe_known(finder, hit, end_us);
	/* it may be of a search before */
	g_autoptr(Info) info = target_entry(finder->cli, path, member, NULL);
	return info ? finder_hit(info, NULL) : NULL;
}

static GVariant *finder_describe(HitFinder *finder, GVariant *arguments, GError **error)
{
	int64_t end_us = g_get_monotonic_time() + WAIT_MS * G_GINT64_CONSTANT(1000);
	g_auto(GStrv) ids = NULL;
	GVariantBuilder hits;
	if (!g_variant_lookup(arguments, "ids", "^as", &ids) || !finder_open(finder, error))
		return NULL;
	g_variant_builder_init(&hits, G_VARIANT_TYPE("aa{sv}"));
	for (guint i = 0; ids[i]; i++) {
		GVariant *hit = finder_describe_one(finder, ids[i], end_us);
		if (hit)
			g_variant_builder_add_value(&hits, hit);
	}
	return g_variant_builder_end(&hits);
}

static bool finder_answer(HitFinder *finder, const char *key, GVariant *value, const GError *error)
{
	g_autofree char *text = error ? cli_error_text(error) : g_strdup("malformed request");
	GVariantDict answer;
	g_variant_dict_init(&answer, NULL);
	if (value)
		g_variant_dict_insert_value(&answer, key, value);
	else
		g_variant_dict_insert(&answer, "message", "s", text);
	return control_send(
	        finder->socket, value ? "ok" : "error", g_variant_dict_end(&answer), NULL);
}

static bool finder_serve(HitFinder *finder, const char *name, GVariant *arguments)
{
	g_autoptr(GError) error = NULL;
	if (strcmp(name, "stop") == 0)
		return true;
	bool searches = strcmp(name, "search") == 0;
	GVariant *value = searches ? finder_search(finder, arguments, &error)
	                           : finder_describe(finder, arguments, &error);
	if (!finder_answer(finder, searches ? "ids" : "hits", value, error) || !value)
		return false;
	if (searches)
		finder_begin_snippets(finder);
	return true;
}

int finder_run(Cli *cli, int socket)
{
	HitFinder finder = {.cli = cli, .socket = socket};
	bool more = true;
	confine_client(cli, false);
	while (more) {
		g_autofree char *name = NULL;
		g_autoptr(GVariant) arguments = NULL;
		more = control_receive(socket, -1, &name, &arguments, NULL) &&
		       finder_serve(&finder, name, arguments);
	}
	finder_forget(&finder);
	return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-walk.h"
#include "common/base/paths.h"
#include "index/read/access-tokens.h"
#include "index/read/reader-contents.h"
#include "ui-cli/cmd/export/export-document.h"
#include "ui-cli/cmd/export/export-texts.h"
#include "ui-cli/print/json-writer.h"

struct ExportWalk {
	Cli *cli;
	Visible *visible; /* borrowed */
	AccessTokens *tokens;
	ExportTexts *texts; /* NULL: no texts are wanted */
	bool words;
	char *instance;
	ExportCounts counts;
	ContentRow row; /* of the content at hand; content 0: none yet */
	GString *places; /* of it, as JSON */
	uint64_t n_places;
	Info *first; /* the first of them; without one, a file that is read again */
	char *host;
	GString *line;
	GError *error; /* of an ExportLineFunc */
};

/* Of a content whose texts may come later. */
typedef struct {
	ExportWalk *walk;
	ExportLineFunc f;
	void *data;
	int64_t content;
	char *places; /* as JSON */
} ExportLines;

ExportWalk *export_walk_new(Cli *cli, const char *host, bool text, GError **error)
{
	Visible *visible = cli_reader(cli, error) ? cli_visible(cli, error) : NULL;
	if (!visible)
		return NULL;
	ExportWalk *walk = g_new0(ExportWalk, 1);
	walk->cli = cli;
	walk->visible = visible;
	walk->host = g_strdup(host);
	walk->tokens = access_tokens_new(host);
	walk->texts = text ? export_texts_new(cli) : NULL;
	walk->instance = reader_identity(cli->reader);
	walk->places = g_string_new(NULL);
	walk->line = g_string_new(NULL);
	return walk;
}

void export_walk_add_words(ExportWalk *walk)
{
	walk->words = true;
}

void export_walk_free(ExportWalk *walk)
{
	if (!walk)
		return;
	export_texts_free(walk->texts);
	access_tokens_free(walk->tokens);
	info_free(walk->first);
	g_string_free(walk->places, TRUE);
	g_string_free(walk->line, TRUE);
	g_clear_error(&walk->error);
	g_free(walk->instance);
	g_free(walk->host);
	g_free(walk);
}

bool export_walk_restart(ExportWalk *walk, GError **error)
{
	walk->row.content = 0;
	g_clear_pointer(&walk->first, info_free);
	access_tokens_free(walk->tokens);
	walk->tokens = access_tokens_new(walk->host);
	cli_forget(walk->cli);
	walk->visible = cli_visible(walk->cli, error);
	return walk->visible != NULL;
}

bool export_walk_has_place(const ExportWalk *walk)
{
	return walk->n_places > 0;
}

const char *export_walk_instance(const ExportWalk *walk)
{
	return walk->instance;
}

const ExportCounts *export_walk_counts(const ExportWalk *walk)
{
	return &walk->counts;
}

/* ---- the places of a content */

/* Reads who may read the file. False: it is gone, or is not what was indexed. */
static bool export_walk_read_access(ExportWalk *walk, const Info *info, bool stale, AccessList *out)
{
	struct stat st;
	bool changed = stale;
	if (path_is_web(info->path))
		access_tokens_of_owner(walk->tokens, info->stat.uid, out);
	else
		changed |= !access_tokens_of_file(walk->tokens, info->path, out, &st) ||
		           !entry_is_inode(&info->stat, st.st_ino);
	walk->counts.changed += changed;
	return !changed;
}

static bool export_walk_add_place(ExportWalk *walk, const Info *info)
{
	bool stale = false;
	g_auto(AccessList) access = {0};
	bool is_away = visible_is_away(walk->visible, info);
	walk->counts.offline += is_away;
	if (is_away || info->inode_state != INODE_DONE ||
	        !visible_entry(walk->visible, info, &stale) ||
	        !export_walk_read_access(walk, info, stale, &access))
		return false;
	walk->n_places++;
	export_append_place(walk->places, info, &access, walk->words);
	return true;
}

static bool export_is_read_again(const ExportWalk *walk, const Info *info)
{
	return info->inode_state == INODE_PENDING && !visible_is_away(walk->visible, info);
}

/* infos: the rows of a document of the content, one for each file. */
static void export_walk_take_places(ExportWalk *walk, GPtrArray *infos)
{
	guint first = infos->len;
	walk->n_places = 0;
	g_string_truncate(walk->places, 0);
	g_clear_pointer(&walk->first, info_free);
	for (guint i = 0; i < infos->len; i++)
		if (export_walk_add_place(walk, infos->pdata[i]) && first == infos->len)
			first = i;
	for (guint i = 0; i < infos->len && first == infos->len; i++)
		if (export_is_read_again(walk, infos->pdata[i]))
			first = i;
	if (first < infos->len)
		walk->first = g_ptr_array_steal_index(infos, first);
}

int export_walk_next(ExportWalk *walk, GError **error)
{
	int found;
	do {
		g_autoptr(GPtrArray) infos = NULL;
		found = reader_next_content(
		        walk->cli->reader, walk->row.content, &walk->row, &infos, error);
		if (found > 0)
			export_walk_take_places(walk, infos);
	} while (found > 0 && !walk->first);
	return found;
}

int export_walk_find(ExportWalk *walk, int64_t content, GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	walk->row = (ContentRow){0};
	g_clear_pointer(&walk->first, info_free);
	int found = reader_next_content(walk->cli->reader, content - 1, &walk->row, &infos, error);
	if (found <= 0 || walk->row.content != content)
		return MIN(found, 0);
	export_walk_take_places(walk, infos);
	return walk->n_places > 0;
}

/* ---- its documents */

/* Takes the rows of one file of the content, one for each document. Empty: the file has another
 * content now, which the walk meets later. NULL with error. */
static GPtrArray *export_walk_take_rows(ExportWalk *walk, GError **error)
{
	g_autoptr(Info) first = g_steal_pointer(&walk->first);
	g_autoptr(GPtrArray) infos = NULL;
	bool found = false;
	if (walk->row.single) {
		infos = g_ptr_array_new_with_free_func((GDestroyNotify)info_free);
		g_ptr_array_add(infos, g_steal_pointer(&first));
		return g_steal_pointer(&infos);
	}
	if (!reader_info(walk->cli->reader, first->path, &infos, error))
		return NULL;
	for (guint i = 0; i < infos->len; i++)
		found |= ((const Info *)infos->pdata[i])->document == first->document;
	if (!found)
		g_ptr_array_set_size(infos, 0);
	return g_steal_pointer(&infos);
}

bool export_walk_append_content(ExportWalk *walk, GString *out, GError **error)
{
	g_autoptr(GPtrArray) infos = export_walk_take_rows(walk, error);
	if (!infos)
		return false;
	walk->counts.appended += infos->len;
	json_open(out, NULL, '{');
	json_int(out, "content", walk->row.content);
	json_open(out, "documents", '[');
	for (guint i = 0; i < infos->len; i++)
		json_int(out, NULL, ((const Info *)infos->pdata[i])->document);
	json_close(out, ']');
	json_open(out, "places", '[');
	g_string_append(out, walk->places->str);
	json_close(out, ']');
	json_close(out, '}');
	g_string_append_c(out, '\n');
	return true;
}

bool export_walk_append_change(ExportWalk *walk, int64_t content, GString *out, GError **error)
{
	if (export_walk_find(walk, content, error) < 0)
		return false;
	if (walk->row.content == content && walk->first)
		return export_walk_append_content(walk, out, error);
	json_open(out, NULL, '{');
	json_int(out, "content", content);
	json_open(out, "documents", '[');
	json_close(out, ']');
	json_open(out, "places", '[');
	json_close(out, ']');
	json_close(out, '}');
	g_string_append_c(out, '\n');
	return true;
}

static void export_lines_free(ExportLines *lines)
{
	g_free(lines->places);
	g_free(lines);
}

static void export_lines_write(const Info *info, const Document *doc, void *data)
{
	const ExportLines *lines = data;
	ExportWalk *walk = lines->walk;
	const ExportLine form = {
	        walk->instance, lines->content, lines->places, walk->texts != NULL, walk->words};
	if (walk->error)
		return;
	walk->counts.documents++;
	walk->counts.without_text += walk->texts && !doc && info->state == STATE_OK;
	g_string_truncate(walk->line, 0);
	export_append_document(walk->line, &form, info, doc);
	lines->f(info->document, walk->line, lines->data, &walk->error);
}

/* False with the error of an ExportLineFunc. */
static bool export_walk_check(ExportWalk *walk, GError **error)
{
	bool ok = !walk->error;
	if (!ok)
		g_propagate_error(error, g_steal_pointer(&walk->error));
	return ok;
}

bool export_walk_documents(ExportWalk *walk, ExportLineFunc f, void *data, GError **error)
{
	g_autoptr(GPtrArray) infos = export_walk_take_rows(walk, error);
	if (!infos || infos->len == 0)
		return infos != NULL;
	ExportLines *lines = g_new(ExportLines, 1);
	*lines = (ExportLines){walk, f, data, walk->row.content, g_strdup(walk->places->str)};
	walk->counts.places += walk->n_places;
	if (walk->texts)
		return export_texts_add(walk->texts, infos, export_lines_write, lines,
		               (GDestroyNotify)export_lines_free, error) &&
		       export_walk_check(walk, error);
	for (guint i = 0; i < infos->len; i++)
		export_lines_write(infos->pdata[i], NULL, lines);
	export_lines_free(lines);
	return export_walk_check(walk, error);
}

bool export_walk_flush(ExportWalk *walk, GError **error)
{
	if (walk->texts)
		export_texts_flush(walk->texts);
	return export_walk_check(walk, error);
}

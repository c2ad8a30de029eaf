/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-failed.c - the verbs failed and retry */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/sources.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/target.h"
#include "ui-cli/app/why-not.h"
#include "ui-cli/print/json-writer.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { LINES_TERMINAL = 10 };

/* A document that failed or was read in part or, as text, a container and its members that failed
 * for one reason. */
typedef struct {
	char *path, *member, *detail; /* member: the first one; NULL: none */
	char *json; /* the line to print, if JSON is asked for */
	bool itself; /* the file that the path names */
	unsigned members;
} FailedItem;

typedef struct {
	DocReason reason;
	GPtrArray *items; /* FailedItem */
	GHashTable *containers; /* path -> item, both borrowed */
	uint64_t documents;
} FailedGroup;

typedef struct {
	Cli *cli;
	const char *dir, *real_dir; /* only below one of them; NULL: everywhere */
	const char *member; /* only this one of the container, and those inside it; NULL: all */
	Visible *visible;
	FailedGroup *groups[N_REASONS]; /* NULL: none */
} FailedListing;

static void failed_item_free(void *data)
{
	FailedItem *item = data;
	g_free(item->path);
	g_free(item->member);
	g_free(item->detail);
	g_free(item->json);
	g_free(item);
}

static FailedGroup *failed_group_new(DocReason reason)
{
	FailedGroup *group = g_new0(FailedGroup, 1);
	group->reason = reason;
	group->items = g_ptr_array_new_with_free_func(failed_item_free);
	group->containers = g_hash_table_new(g_str_hash, g_str_equal);
	return group;
}

static void failed_group_free(FailedGroup *group)
{
	if (!group)
		return;
	g_hash_table_unref(group->containers);
	g_ptr_array_unref(group->items);
	g_free(group);
}

static char *failed_json(const Info *info)
{
	GString *out = g_string_new(NULL);
	json_open(out, NULL, '{');
	json_path(out, info->path);
	json_bytes(out, "member", info->member);
	json_text(out, "mime", info->mime);
	json_text(out, "state", info_state_name(info));
	json_text(out, "reason", document_reason_name(info->reason));
	json_text(out, "detail", info->detail);
	json_unsigned(out, "tries", info->tries);
	json_text(out, "extractor", info->extractor);
	json_unsigned(out, "version", info->version);
	json_close(out, '}');
	g_string_append_c(out, '\n');
	return g_string_free(out, FALSE);
}

static bool is_at_or_below(const char *path, const char *dir)
{
	return dir && (strcmp(path, dir) == 0 || paths_is_below(path, dir));
}

static bool failed_is_asked_for(const FailedListing *listing, const Info *info)
{
	return !listing->dir || is_at_or_below(info->path, listing->dir) ||
	       is_at_or_below(info->path, listing->real_dir);
}

/* Scripts get each document; people get a container once for each reason. */
static bool failed_joins_members(const Cli *cli)
{
	return !cli->json && !cli->null;
}

static void failed_add(FailedGroup *group, const Cli *cli, const Info *info)
{
	FailedItem *item = NULL;
	group->documents++;
	if (failed_joins_members(cli))
		item = g_hash_table_lookup(group->containers, info->path);
	if (!item) {
		item = g_new0(FailedItem, 1);
		item->path = g_strdup(info->path);
		item->member = g_strdup(info->member);
		item->json = cli->json ? failed_json(info) : NULL;
		g_ptr_array_add(group->items, item);
		g_hash_table_insert(group->containers, item->path, item);
	}
	if (!info->member || (!item->itself && !item->detail)) {
		g_free(item->detail);
		item->detail = info->detail && *info->detail ? g_strdup(info->detail) : NULL;
	}
	item->itself |= !info->member;
	item->members += info->member != NULL;
}

static bool collect_failed(const Info *info, void *data)
{
	FailedListing *listing = data;
	FailedGroup **group = &listing->groups[info->reason];

	if (!failed_is_asked_for(listing, info) ||
	        !target_is_inside(info->member, listing->member) ||
	        !visible_failure(listing->visible, info))
		return true;
	if (!*group)
		*group = failed_group_new(info->reason);
	failed_add(*group, listing->cli, info);
	return !listing->cli->quiet;
}

/* "OUTER|inner/path" for one member, "OUTER" for several. The caller frees it. */
static char *failed_item_path(const FailedItem *item)
{
	return !item->itself && item->members == 1
	               ? g_strdup_printf("%s|%s", item->path, item->member)
	               : g_strdup(item->path);
}

/* The detail of the file itself or of the only member, and the number of members; NULL: nothing
 * more is known. */
static char *failed_item_note(const FailedItem *item)
{
	bool one = item->itself || item->members == 1;
	g_autofree char *detail = one ? document_detail_text(item->detail) : NULL;
	g_autofree char *members =
	        g_strdup_printf(ngettext("%u member", "%u members", item->members), item->members);
	if (item->members == 0 || (!item->itself && one))
		return g_steal_pointer(&detail);
	return detail ? g_strdup_printf("%s; %s", detail, members) : g_steal_pointer(&members);
}

static void failed_append_line(GString *out, const FailedGroup *group, const FailedItem *item)
{
	g_autofree char *path = failed_item_path(item);
	g_autofree char *note = failed_item_note(item);
	g_string_append_printf(out, "%s\t%s", path, document_reason_text(group->reason));
	if (note)
		g_string_append(out, ": ");
	if (note)
		text_append_escaped(out, note, -1);
	g_string_append_c(out, '\n');
}

static void failed_append_row(const Screen *screen, GString *out, const FailedItem *item)
{
	g_autofree char *path = failed_item_path(item);
	g_autofree char *note = failed_item_note(item);
	screen_append_path(screen, out, path, item->path, 4);
	if (note)
		screen_append_folded(screen, out, note, NULL, 6, 2);
}

static void failed_append_item(
        const Cli *cli, GString *out, const FailedGroup *group, const FailedItem *item)
{
	g_autofree char *path = failed_item_path(item);
	if (cli->json) {
		g_string_append(out, item->json);
	} else if (cli->null) {
		g_string_append(out, path);
		g_string_append_c(out, '\0');
	} else if (cli->out.terminal) {
		failed_append_row(&cli->out, out, item);
	} else {
		failed_append_line(out, group, item);
	}
}

static void failed_append_head(const Screen *screen, GString *out, const FailedGroup *group)
{
	g_autofree char *count = count_documents(group->documents);
	g_autofree char *head =
	        g_strdup_printf("%s: %s", document_reason_text(group->reason), count);
	screen_append_styled(screen, out, STYLE_TITLE, head, 0);
}

static void failed_print_group(const Cli *cli, const FailedGroup *group)
{
	g_autoptr(GString) out = g_string_new(NULL);
	bool blocks = cli->out.terminal && failed_joins_members(cli);
	guint n = group->items->len;
	guint shown = MIN(n, options_number(cli->args, "limit", blocks ? LINES_TERMINAL : n));

	if (blocks)
		failed_append_head(&cli->out, out, group);
	for (guint i = 0; i < shown; i++)
		failed_append_item(cli, out, group, group->items->pdata[i]);
	if (blocks && shown < n)
		g_string_append_printf(out,
		        ngettext("    and %u more (-n shows more)\n",
		                "    and %u more (-n shows more)\n", n - shown),
		        n - shown);
	screen_put(&cli->out, out);
}

/* The largest group first. Groups that do not exist come last. */
static int compare_groups(const void *one, const void *other)
{
	const FailedGroup *a = *(FailedGroup *const *)one, *b = *(FailedGroup *const *)other;
	if (!a || !b)
		return !a - !b;
	if (a->documents != b->documents)
		return a->documents < b->documents ? 1 : -1;
	return (int)a->reason - (int)b->reason;
}

static int compare_items(const void *one, const void *other)
{
	const FailedItem *a = *(FailedItem *const *)one, *b = *(FailedItem *const *)other;
	int order = strcmp(a->path, b->path);
	return order ? order : g_strcmp0(a->member, b->member);
}

static bool cmd_failed_print(FailedListing *listing)
{
	qsort(listing->groups, N_REASONS, sizeof(listing->groups[0]), compare_groups);
	for (size_t i = 0; i < N_REASONS && listing->groups[i] && !listing->cli->quiet; i++) {
		g_ptr_array_sort(listing->groups[i]->items, compare_items);
		failed_print_group(listing->cli, listing->groups[i]);
	}
	return listing->groups[0] != NULL;
}

int cmd_failed(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *member = NULL;
	g_autofree char *dir = target_place(cli, cli_word(cli, 0), &member);
	g_autofree char *real = dir ? target_real_path(dir) : NULL;
	FailedListing listing = {cli, dir, real, member, cli_visible(cli, &error), {NULL}};
	bool ok = listing.visible && reader_failed(cli->reader, collect_failed, &listing, &error);
	bool found = ok && cmd_failed_print(&listing);

	for (size_t i = 0; i < N_REASONS; i++)
		failed_group_free(listing.groups[i]);
	if (!ok)
		return cli_fail(error);
	if (found)
		return EXIT_OK;
	if (!dir)
		cli_note(cli, _("No conversion has failed."));
	else if (!why_not_note_empty(cli, dir))
		cli_note(cli, _("No conversion has failed there."));
	return EXIT_NOTHING;
}

/* The daemon takes paths of files only. */
static bool says_url_to_retry(const Cli *cli)
{
	for (unsigned i = 0; i < cli_n_words(cli); i++)
		if (source_is_url(cli_word(cli, i))) {
			cli_say(_("%s is a page; \"tarsier retry\" without a name queues all "
			          "failed "
			          "pages and files again"),
			        cli_word(cli, i));
			return true;
		}
	return false;
}

/* Says so if a file is missing, so that nothing can be read again. */
static bool says_missing_to_retry(Cli *cli)
{
	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		g_autofree char *path = NULL, *member = NULL;
		target_split(cli_word(cli, i), &path, &member);
		if (!target_is_missing(cli, path))
			continue;
		cli_say(_("%s does not exist"), path);
		return true;
	}
	return false;
}

int cmd_retry(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	if (says_url_to_retry(cli))
		return EXIT_USAGE;
	if (says_missing_to_retry(cli))
		return EXIT_NOTHING;
	g_autoptr(GVariant) answer = daemon_call_paths(cli, "retry", &error);
	gint64 queued = 0;

	if (!answer)
		return cli_fail(error);
	g_variant_lookup(answer, "queued", "x", &queued);
	cli_note(cli, ngettext("%ld file is queued again.", "%ld files are queued again.", queued),
	        (long)queued);
	return queued > 0 ? EXIT_OK : EXIT_NOTHING;
}

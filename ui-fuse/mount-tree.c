/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-fuse/mount-tree.h"
#include "common/base/paths.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/saved.h"
#include "ui-cli/app/search-query.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A program lists a directory, then looks at each of its links: that is one search. */
enum { FRESH_S = 2, KEPT_S = 60, KEPT = 64 };

/* The hits of one query. */
typedef struct {
	int64_t made_us;
	GPtrArray *names; /* char *, in the order of the hits; owned by links */
	GHashTable *links; /* name -> path of the file */
} MountFolder;

struct MountTree {
	Cli *cli;
	GHashTable *folders; /* text of a query -> MountFolder */
	GPtrArray *names; /* of a directory that is none of a query, as listed last */
};

/* ---- a directory of hits */

static void mount_folder_free(void *data)
{
	MountFolder *folder = data;
	g_ptr_array_unref(folder->names);
	g_hash_table_unref(folder->links);
	g_free(folder);
}

/* "name.ext", or "name (2).ext" and so on. The caller frees it. */
static char *mount_link_name(const MountFolder *folder, const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	const char *dot = strrchr(base, '.');
	size_t stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
	char *name = g_strdup(base);
	for (unsigned n = 2; g_hash_table_contains(folder->links, name); n++) {
		g_free(name);
		name = g_strdup_printf("%.*s (%u)%s", (int)stem, base, n, base + stem);
	}
	return name;
}

static MountFolder *mount_folder_new(const SearchResult *result)
{
	MountFolder *folder = g_new0(MountFolder, 1);
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	folder->made_us = g_get_monotonic_time();
	folder->names = g_ptr_array_new();
	folder->links = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; i < result->hits->len; i++) {
		const char *path = ((const Hit *)result->hits->pdata[i])->info.path;
		if (path_is_web(path) || !g_hash_table_add(known, (char *)path))
			continue;
		char *name = mount_link_name(folder, path);
		g_ptr_array_add(folder->names, name);
		g_hash_table_insert(folder->links, name, g_strdup(path));
	}
	return folder;
}

/* ---- searching */

static int mount_errno_of(const GError *error)
{
	return error->domain == INDEX_ERROR ? -EIO : -EINVAL;
}

static Query *mount_parse(MountTree *tree, const char *text, GError **error)
{
	const QueryOptions as_is = {0};
	QueryFault fault = {0};
	Query *query = search_parse(tree->cli, text, &as_is, &fault, error);
	g_free(fault.hint);
	return query;
}

static SearchResult *mount_search(MountTree *tree, const char *text, GError **error)
{
	const SearchOptions options = {.limit = MOUNT_HITS,
	        .near_separate = true,
	        .no_meaning = cli_leaves_out_meaning(tree->cli),
	        .uid = geteuid()};
	Reader *reader = cli_fresh_reader(tree->cli, error);
	g_autoptr(Query) query = reader ? mount_parse(tree, text, error) : NULL;
	if (!query || !resolve_files(tree->cli, query, error))
		return NULL;
	return search_run(reader, query, &options, error);
}

/* The hits of a query, as of at most so many seconds ago. 0, or a negative errno. */
static int mount_folder_of(
        MountTree *tree, const char *text, int age_s, const MountFolder **folder_r)
{
	g_autoptr(GError) error = NULL;
	MountFolder *folder = g_hash_table_lookup(tree->folders, text);
	int64_t oldest_us = g_get_monotonic_time() - age_s * G_USEC_PER_SEC;
	if (!folder || folder->made_us < oldest_us) {
		g_autoptr(SearchResult) result = mount_search(tree, text, &error);
		if (!result)
			return mount_errno_of(error);
		if (g_hash_table_size(tree->folders) >= KEPT)
			g_hash_table_remove_all(tree->folders);
		folder = mount_folder_new(result);
		g_hash_table_replace(tree->folders, g_strdup(text), folder);
	}
	*folder_r = folder;
	return 0;
}

/* ---- paths */

typedef struct {
	char **parts; /* of the path, without its slash */
	guint n;
} MountPath;

static MountPath mount_path(const char *path)
{
	MountPath at = {.parts = g_strsplit(path + 1, "/", -1)};
	at.n = *path && path[1] ? g_strv_length(at.parts) : 0;
	return at;
}

/* The query of a directory of hits; NULL: there is no such directory. The caller frees it. */
static char *mount_query_of(const MountTree *tree, const MountPath *at)
{
	const char *name = at->parts[1];
	if (*name == '.' || *name == '\0')
		return NULL;
	if (strcmp(at->parts[0], "q") == 0)
		return g_strdup(name);
	g_autoptr(Saved) saved = saved_open(tree->cli->config_file, NULL);
	return saved && strcmp(at->parts[0], "saved") == 0 ? saved_query(saved, name) : NULL;
}

static bool mount_is_top(const MountPath *at)
{
	return at->n == 0 || (at->n == 1 && (strcmp(at->parts[0], "q") == 0 ||
	                                            strcmp(at->parts[0], "saved") == 0));
}

/* Can the query be read? 0, or a negative errno. */
static int mount_check_query(MountTree *tree, const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = mount_parse(tree, text, &error);
	return query ? 0 : mount_errno_of(error);
}

static int mount_find_in(MountTree *tree, const MountPath *at, const char **target_r)
{
	const MountFolder *folder = NULL;
	if (mount_is_top(at))
		return 0;
	g_autofree char *text = at->n == 2 || at->n == 3 ? mount_query_of(tree, at) : NULL;
	if (!text)
		return -ENOENT;
	if (at->n == 2)
		return mount_check_query(tree, text);
	int failed = mount_folder_of(tree, text, KEPT_S, &folder);
	if (!failed)
		*target_r = g_hash_table_lookup(folder->links, at->parts[2]);
	return failed || *target_r ? failed : -ENOENT;
}

int mount_tree_find(MountTree *tree, const char *path, const char **target_r)
{
	MountPath at = mount_path(path);
	*target_r = NULL;
	int failed = mount_find_in(tree, &at, target_r);
	g_strfreev(at.parts);
	return failed;
}

static void mount_list_saved(MountTree *tree)
{
	g_autoptr(Saved) saved = saved_open(tree->cli->config_file, NULL);
	g_auto(GStrv) names = saved ? saved_names(saved) : NULL;
	for (char **name = names; name && *name; name++)
		if (**name != '.')
			g_ptr_array_add(tree->names, g_strdup(*name));
}

static const GPtrArray *mount_list_top(MountTree *tree, const MountPath *at)
{
	g_ptr_array_set_size(tree->names, 0);
	if (at->n == 0) {
		g_ptr_array_add(tree->names, g_strdup("q"));
		g_ptr_array_add(tree->names, g_strdup("saved"));
	} else if (strcmp(at->parts[0], "saved") == 0) {
		mount_list_saved(tree);
	}
	return tree->names;
}

static int mount_list_in(MountTree *tree, const MountPath *at, const GPtrArray **names_r)
{
	const MountFolder *folder = NULL;
	if (mount_is_top(at)) {
		*names_r = mount_list_top(tree, at);
		return 0;
	}
	if (at->n != 2)
		return -ENOTDIR;
	g_autofree char *text = mount_query_of(tree, at);
	int failed = text ? mount_folder_of(tree, text, FRESH_S, &folder) : -ENOENT;
	*names_r = folder ? folder->names : NULL;
	return failed;
}

int mount_tree_list(MountTree *tree, const char *path, const GPtrArray **names_r)
{
	MountPath at = mount_path(path);
	int failed = mount_list_in(tree, &at, names_r);
	g_strfreev(at.parts);
	return failed;
}

/* ---- the tree */

MountTree *mount_tree_new(Cli *cli)
{
	MountTree *tree = g_new0(MountTree, 1);
	tree->cli = cli;
	tree->folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, mount_folder_free);
	tree->names = g_ptr_array_new_with_free_func(g_free);
	return tree;
}

void mount_tree_free(MountTree *tree)
{
	g_hash_table_unref(tree->folders);
	g_ptr_array_unref(tree->names);
	g_free(tree);
}

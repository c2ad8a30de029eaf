/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/rules/rules.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/rules/ignore.h"
#include "common/base/paths.h"
#include "common/rules/rules-policy.h"
#include "common/rules/rules-table.h"
#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { IGNORE_FILE_MAX_BYTES = 256 << 10 };

/* A rule of NAME_BEGINS or NAME_ENDS, prepared for quick comparison. */
typedef struct {
	const SkipRule *rule;
	size_t length;
} Affix;

enum { AFFIXES_MOST = 64, BYTE_VALUES = 256 };

struct Rules {
	GHashTable *names; /* name -> SkipRule of NAME_IS */
	Affix affixes[AFFIXES_MOST]; /* in the order of the table */
	unsigned n_affixes;
	/* For each byte the affixes, as bits, of names that begin or end with it. */
	uint64_t beginning[BYTE_VALUES], ending[BYTE_VALUES];
	PolicySet *policies;
	char **listed; /* sorted */
	char **own; /* the program's own directories */
};

/* The patterns of one .tarsierignore, as they apply in a directory. */
typedef struct {
	IgnoreList *list; /* owned by the directory of the file, which is this one or above it */
	size_t prefix; /* bytes of the path of that directory, including its slash */
	uint64_t *states; /* ignore_list_enter() */
} IgnoreLevel;

struct RulesDir {
	gatomicrefcount refs;
	RulesDir *parent;
	const Rules *rules;
	const Policy *policy;
	char *path;
	IgnoreList *ignores; /* its own, may be NULL */
	GArray *levels; /* IgnoreLevel, the nearest file first; NULL: none */
	bool leads_to_listed_dir; /* a listed directory is below it */
	char *excluded;
	char *transit; /* if set, the reason why only entries that lead to a listed directory are
	                  accepted */
};

static void add_affix(Rules *rules, const SkipRule *rule)
{
	size_t length = strlen(rule->name);
	uint64_t bit = UINT64_C(1) << rules->n_affixes;
	g_assert(rules->n_affixes < AFFIXES_MOST);
	if (rule->match == NAME_BEGINS)
		rules->beginning[(uint8_t)rule->name[0]] |= bit;
	else
		rules->ending[(uint8_t)rule->name[length - 1]] |= bit;
	rules->affixes[rules->n_affixes++] = (Affix){rule, length};
}

static void add_skip_rules(Rules *rules)
{
	rules->names = g_hash_table_new(g_str_hash, g_str_equal);
	for (const SkipRule *rule = skip_rules; rule->name; rule++) {
		if (rule->match == NAME_IS)
			g_hash_table_insert(rules->names, (gpointer)rule->name, (gpointer)rule);
		else
			add_affix(rules, rule);
	}
}

Rules *rules_new(const Settings *settings, const char *index_dir)
{
	Rules *rules = g_new0(Rules, 1);
	add_skip_rules(rules);
	rules->policies = policy_set_new(settings);
	rules->listed = g_strdupv((char **)settings_listed(settings));
	rules->own = g_new0(char *, 3);
	rules->own[0] = paths_absolute(index_dir);
	rules->own[1] = paths_cache_dir(index_dir);
	return rules;
}

void rules_free(Rules *rules)
{
	if (!rules)
		return;
	g_hash_table_unref(rules->names);
	policy_set_free(rules->policies);
	g_strfreev(rules->listed);
	g_strfreev(rules->own);
	g_free(rules);
}

/* Is path the directory dir + name? */
static bool rules_is_entry(const char *path, const RulesDir *dir, const char *name)
{
	const char *slash = strrchr(path, '/');
	if (strcmp(slash + 1, name) != 0)
		return false;
	return strlen(dir->path) == (size_t)(slash - path) + (slash == path) &&
	       strncmp(path, dir->path, strlen(dir->path)) == 0;
}

static bool is_own(const RulesDir *dir, const char *name)
{
	for (char **own = dir->rules->own; *own; own++) {
		if (rules_is_entry(*own, dir, name))
			return true;
	}
	return false;
}

static char *rules_join(const RulesDir *dir, const char *name)
{
	return g_strconcat(dir->path, dir->path[1] ? "/" : "", name, NULL);
}

/* Is a listed directory below path? *same_r: is path itself listed? */
static bool leads_to_listed(const Rules *rules, const char *path, bool *same_r)
{
	size_t length = strlen(path);
	bool leads_to_listed_dir = false;
	*same_r = false;
	for (char **listed = rules->listed; *listed; listed++) {
		if (strcmp(*listed, path) == 0)
			*same_r = true;
		else if (strncmp(*listed, path, length) == 0)
			leads_to_listed_dir =
			        leads_to_listed_dir || length == 1 || (*listed)[length] == '/';
	}
	return leads_to_listed_dir;
}

static bool affix_matches(const Affix *affix, const char *name, size_t length)
{
	bool at_start = affix->rule->match == NAME_BEGINS;
	const char *part = at_start ? name : name + length - affix->length;
	return length >= affix->length && memcmp(part, affix->rule->name, affix->length) == 0;
}

/* The affixes, as bits, that the first and the last byte of the name leave. */
static uint64_t possible_affixes(const Rules *rules, const char *name, size_t length)
{
	return length == 0 ? 0
	                   : rules->beginning[(uint8_t)name[0]] |
	                             rules->ending[(uint8_t)name[length - 1]];
}

typedef bool (*RuleFunc)(const SkipRule *rule, void *data);

/* The first rule that matches the name and for which f returns true, or NULL. */
static const SkipRule *find_skip_rule(const Rules *rules, const char *name, RuleFunc f, void *data)
{
	const SkipRule *exact = g_hash_table_lookup(rules->names, name);
	if (exact && f(exact, data))
		return exact;
	size_t length = strlen(name);
	for (uint64_t left = possible_affixes(rules, name, length); left; left &= left - 1) {
		const Affix *affix = &rules->affixes[__builtin_ctzll(left)];
		if (affix_matches(affix, name, length) && f(affix->rule, data))
			return affix->rule;
	}
	return NULL;
}

/* A directory whose files are examined. */
typedef struct {
	int fd;
	const RulesFiles *files;
} DirHandle;

static int rules_open_file(int dir_fd, const char *name)
{
	return openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool file_exists(int dir_fd, const char *name)
{
	return faccessat(dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The list of names tells nothing about what lies beside the directory. */
static bool may_exist(const DirHandle *handle, const char *name)
{
	return !handle->files->may_exist || strchr(name, '/') ||
	       handle->files->may_exist(handle->files, name);
}

static bool rules_exists(const DirHandle *handle, const char *name)
{
	const RulesFiles *files = handle->files;
	if (!may_exist(handle, name))
		return false;
	return files->exists ? files->exists(files, handle->fd, name)
	                     : file_exists(handle->fd, name);
}

static int open_dir_file(const DirHandle *handle, const char *name)
{
	const RulesFiles *files = handle->files;
	if (!may_exist(handle, name)) {
		errno = ENOENT;
		return -1;
	}
	return files->open ? files->open(files, handle->fd, name)
	                   : rules_open_file(handle->fd, name);
}

typedef struct {
	const Policy *policy;
	const char *name;
	bool is_dir;
	const DirHandle *handle; /* the directory itself, for witnesses; NULL: try only rules
	                     without witness */
	const char *witness; /* the one that was found; points into the rule's string */
} SkipCandidate;

static bool rule_is_on(const SkipRule *rule, const SkipCandidate *candidate)
{
	if (!(candidate->policy->skip & (1u << rule->group)))
		return false;
	if (!(rule->what & (candidate->is_dir ? SKIP_DIRS : SKIP_FILES)))
		return false;
	/* The public half of a key pair is not a secret. */
	return rule->group != SKIP_SECRETS || !g_str_has_suffix(candidate->name, ".pub");
}

static bool skips_by_name(const SkipRule *rule, void *data)
{
	return !rule->beside && !rule->inside && rule_is_on(rule, data);
}

static bool skips_secret_by_name(const SkipRule *rule, void *data)
{
	return rule->group == SKIP_SECRETS && skips_by_name(rule, data);
}

const char *rules_member_excluded(const Rules *rules, const char *member)
{
	const Policy *policy = policy_of_dir(rules->policies, NULL, "/");
	while (*member) {
		size_t length = strcspn(member, "/|");
		g_autofree char *name = g_strndup(member, length);
		SkipCandidate candidate = {policy, name, member[length] == '/', NULL, NULL};
		if (find_skip_rule(rules, name, skips_secret_by_name, &candidate))
			return skip_group_text(SKIP_SECRETS);
		member += length + (member[length] != '\0');
	}
	return NULL;
}

uint32_t rules_members_version(const Rules *rules)
{
	const Policy *policy = policy_of_dir(rules->policies, NULL, "/");
	uint32_t version = 1;
	if (!(policy->skip & (1u << SKIP_SECRETS)))
		return 0;
	for (const SkipRule *rule = skip_rules; rule->name; rule++)
		if (rule->group == SKIP_SECRETS)
			version = version * 31 + g_str_hash(rule->name) + rule->what + rule->match;
	return MAX(version, 1);
}

/* Looks for one of the witnesses. above: "../" for entries beside the directory, "" for entries
 * inside it. */
static bool find_witness(SkipCandidate *candidate, const char *above, const char *witnesses)
{
	while (witnesses) {
		const char *end = strchrnul(witnesses, '|');
		g_autofree char *path =
		        g_strdup_printf("%s%.*s", above, (int)(end - witnesses), witnesses);
		candidate->witness = witnesses;
		if (rules_exists(candidate->handle, path))
			return true;
		witnesses = *end ? end + 1 : NULL;
	}
	return false;
}

static bool skips_by_witness(const SkipRule *rule, void *data)
{
	return rule_is_on(rule, data) &&
	       (find_witness(data, "../", rule->beside) || find_witness(data, "", rule->inside));
}

/* The path is built at most once, and only if it is needed. */
static const char *path_for(
        const IgnoreList *list, const RulesDir *dir, size_t prefix, const char *name, char **path)
{
	if (ignore_list_needs_path(list) && !*path)
		*path = rules_join(dir, name);
	return *path ? *path + prefix : NULL;
}

/* The verdict of a list of the configuration. */
static IgnoreVerdict ask_list(IgnoreList *list, const RulesDir *dir, const char *name, bool is_dir,
        char **path, const char **why_r)
{
	if (ignore_list_is_empty(list))
		return IGNORE_NO_MATCH;
	return ignore_list_match(list, name, path_for(list, dir, 1, name, path), is_dir, why_r);
}

static IgnoreVerdict ask_level(const IgnoreLevel *level, const RulesDir *dir, const char *name,
        bool is_dir, char **path, const char **why_r)
{
	return ignore_list_match_in(level->list, level->states, name,
	        path_for(level->list, dir, level->prefix, name, path), is_dir, why_r);
}

/* The pattern that excludes the entry, or NULL. */
static const char *judge_by_patterns(const RulesDir *dir, const char *name, bool is_dir)
{
	g_autofree char *path = NULL;
	const char *why = NULL;
	IgnoreVerdict verdict = IGNORE_NO_MATCH;
	for (guint i = 0; dir->levels && i < dir->levels->len && verdict == IGNORE_NO_MATCH; i++) {
		const IgnoreLevel *level = &g_array_index(dir->levels, IgnoreLevel, i);
		verdict = ask_level(level, dir, name, is_dir, &path, &why);
	}
	if (verdict == IGNORE_NO_MATCH)
		verdict = ask_list(dir->policy->exclude, dir, name, is_dir, &path, &why);
	return verdict == IGNORE_EXCLUDED ? why : NULL;
}

static bool is_included(const RulesDir *dir, const char *name, bool is_dir)
{
	g_autofree char *path = NULL;
	return ask_list(dir->policy->include, dir, name, is_dir, &path, NULL) == IGNORE_EXCLUDED;
}

static bool is_skipped_hidden(const RulesDir *dir, const char *name, bool is_dir)
{
	g_autofree char *path = NULL;
	return name[0] == '.' &&
	       ask_list(dir->policy->hidden, dir, name, is_dir, &path, NULL) != IGNORE_EXCLUDED;
}

/* The verdict on an entry by its name only; listed directories are not considered. */
static const char *rules_judge(const RulesDir *dir, const char *name, bool is_dir)
{
	SkipCandidate candidate = {dir->policy, name, is_dir, NULL, NULL};
	const SkipRule *rule = find_skip_rule(dir->rules, name, skips_by_name, &candidate);
	if (rule && rule->group == SKIP_SECRETS)
		return skip_group_text(rule->group);
	const char *pattern = judge_by_patterns(dir, name, is_dir);
	if (pattern)
		return pattern;
	const char *why = NULL;
	if (rule)
		why = skip_group_text(rule->group);
	else if (is_skipped_hidden(dir, name, is_dir))
		why = _("hidden entries are skipped");
	return why && !is_included(dir, name, is_dir) ? why : NULL;
}

const char *rules_entry_excluded(const RulesDir *dir, const char *name, mode_t mode)
{
	bool is_dir = S_ISDIR(mode);
	if (is_dir && is_own(dir, name))
		return _("it belongs to Tarsier itself");
	const char *why = rules_judge(dir, name, is_dir);
	if (!why)
		why = dir->transit;
	if (!why || !is_dir || !dir->leads_to_listed_dir)
		return why;
	bool same;
	g_autofree char *path = rules_join(dir, name);
	return leads_to_listed(dir->rules, path, &same) || same ? NULL : why;
}

/* The verdict on a directory by its witnesses. The caller frees the result. */
static char *judge_by_witness(const RulesDir *parent, const char *name, const DirHandle *handle)
{
	SkipCandidate candidate = {parent->policy, name, true, handle, NULL};
	const SkipRule *rule = find_skip_rule(parent->rules, name, skips_by_witness, &candidate);
	if (!rule || (rule->group != SKIP_SECRETS && is_included(parent, name, true)))
		return NULL;
	g_autofree char *witness = g_strndup(candidate.witness, strcspn(candidate.witness, "|"));
	if (rule->beside)
		return g_strdup_printf(
		        _("%s (because of %s beside it)"), skip_group_text(rule->group), witness);
	return g_strdup_printf(
	        _("%s (because of %s inside it)"), skip_group_text(rule->group), witness);
}

/* Cache Directory Tagging Specification: the file must begin with this signature. */
static bool has_cache_tag(const DirHandle *handle)
{
	static const char signature[] = "Signature: 8a477f597d28d172789f06886806bc55";
	char head[sizeof(signature) - 1];
	struct stat st;
	autofd fd = open_dir_file(handle, "CACHEDIR.TAG");
	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
	       memcmp(head, signature, sizeof(head)) == 0;
}

static const char *judge_by_markers(const Policy *policy, const DirHandle *handle)
{
	if (policy->markers & (1u << MARKER_CACHEDIR) && has_cache_tag(handle))
		return _("CACHEDIR.TAG marks a cache");
	if (policy->markers & (1u << MARKER_NOMEDIA) && rules_exists(handle, ".nomedia"))
		return _("a .nomedia file excludes it");
	if (policy->markers & (1u << MARKER_TRACKERIGNORE) &&
	        rules_exists(handle, ".trackerignore"))
		return _("a .trackerignore file excludes it");
	if (policy->markers & (1u << MARKER_NOINDEX) && rules_exists(handle, ".noindex"))
		return _("a .noindex file excludes it");
	return NULL;
}

/* Reads the whole file; NULL with errno. EINVAL: it is not a regular file, or it is too large. */
static GString *read_ignore_file(const DirHandle *handle)
{
	struct stat st;
	autofd fd = open_dir_file(handle, ".tarsierignore");
	if (fd < 0 || fstat(fd, &st) != 0)
		return NULL;
	g_autoptr(GString) text = g_string_sized_new(st.st_size < 4096 ? st.st_size + 1 : 4096);
	char buffer[4096];
	while (S_ISREG(st.st_mode) && text->len <= IGNORE_FILE_MAX_BYTES) {
		ssize_t n = read(fd, buffer, sizeof(buffer));
		if (n == 0)
			return g_steal_pointer(&text);
		if (n < 0)
			return NULL;
		g_string_append_len(text, buffer, n);
	}
	errno = EINVAL;
	return NULL;
}

/* For messages: abbreviates the home directory to "~". */
static char *shown_path(const char *path)
{
	const char *home = g_get_home_dir();
	size_t length = strlen(home);
	bool below = length > 1 && strncmp(path, home, length) == 0 && path[length] == '/';
	g_autofree char *text = below ? g_strconcat("~", path + length, NULL) : g_strdup(path);
	return text_to_utf8(text, -1);
}

/* The nearest .tarsierignore above the directory, or NULL. */
static const IgnoreList *ignores_above(const RulesDir *dir)
{
	const GArray *levels = dir->parent ? dir->parent->levels : NULL;
	return levels ? g_array_index(levels, IgnoreLevel, 0).list : NULL;
}

/* Loads .tarsierignore. A file that cannot be read, or does not fit into the limits, may be meant
 * to hide something, so the whole directory is skipped then. Anybody who can write such a file
 * there could hide as much with "*". Returns the reason, which the caller frees, or NULL. */
static char *load_ignores(RulesDir *dir, const DirHandle *handle)
{
	if (!(dir->policy->markers & (1u << MARKER_TARSIERIGNORE)))
		return NULL;
	g_autoptr(GString) text = read_ignore_file(handle);
	if (!text && (errno == ENOENT || errno == ENOTDIR))
		return NULL;
	g_autofree char *file = rules_join(dir, ".tarsierignore");
	g_autofree char *shown = shown_path(file);
	if (!text)
		return g_strdup_printf(_("%s cannot be read"), shown);
	dir->ignores = ignore_list_new_below(ignores_above(dir));
	guint line = ignore_list_add_file(dir->ignores, text->str, text->len, shown);
	if (line == 0)
		return NULL;
	g_clear_pointer(&dir->ignores, ignore_list_free);
	return g_strdup_printf(
	        _("too many patterns apply here: %s does not fit from line %u on"), shown, line);
}

static void ignore_level_clear(gpointer item)
{
	g_free(((IgnoreLevel *)item)->states);
}

static void add_level(RulesDir *dir, IgnoreLevel level)
{
	if (!dir->levels) {
		dir->levels = g_array_new(FALSE, FALSE, sizeof(IgnoreLevel));
		g_array_set_clear_func(dir->levels, ignore_level_clear);
	}
	g_array_append_val(dir->levels, level);
}

/* Its own patterns, and those of the directories above, moved over its name. */
static void make_levels(RulesDir *dir)
{
	const GArray *above = dir->parent ? dir->parent->levels : NULL;
	const char *name = strrchr(dir->path, '/') + 1;
	size_t prefix = strlen(dir->path) + (dir->path[1] != '\0');
	if (dir->ignores && !ignore_list_is_empty(dir->ignores))
		add_level(dir, (IgnoreLevel){dir->ignores, prefix,
		                       ignore_list_enter(dir->ignores, NULL, NULL)});
	for (guint i = 0; above && i < above->len; i++) {
		IgnoreLevel level = g_array_index(above, IgnoreLevel, i);
		level.states = ignore_list_enter(level.list, level.states, name);
		add_level(dir, level);
	}
}

/* The reason why the directory is skipped, or NULL. The caller frees it. */
static char *judge_dir(RulesDir *dir, const DirHandle *handle, bool is_root)
{
	const char *slash = strrchr(dir->path, '/');
	char *why = NULL;
	if (dir->parent && !is_root) {
		why = g_strdup(dir->parent->transit ? dir->parent->transit
		                                    : rules_judge(dir->parent, slash + 1, true));
		if (!why)
			why = judge_by_witness(dir->parent, slash + 1, handle);
	}
	if (!why)
		why = g_strdup(judge_by_markers(dir->policy, handle));
	return why ? why : load_ignores(dir, handle);
}

static bool dir_is_own(const RulesDir *dir)
{
	return g_strv_contains((const char *const *)dir->rules->own, dir->path);
}

RulesDir *rules_dir_enter(const Rules *rules, RulesDir *parent, int dir_fd, const char *path)
{
	static const RulesFiles direct = {NULL, NULL, NULL, NULL};
	return rules_dir_enter_by(rules, parent, dir_fd, path, &direct);
}

RulesDir *rules_dir_enter_by(
        const Rules *rules, RulesDir *parent, int dir_fd, const char *path, const RulesFiles *files)
{
	const DirHandle handle = {dir_fd, files};
	bool is_listed;
	RulesDir *dir = g_new0(RulesDir, 1);
	g_atomic_ref_count_init(&dir->refs);
	dir->parent = parent ? rules_dir_ref(parent) : NULL;
	dir->rules = rules;
	dir->path = g_strdup(path);
	dir->policy = policy_of_dir(rules->policies, parent ? parent->policy : NULL, path);
	dir->leads_to_listed_dir = leads_to_listed(rules, path, &is_listed);
	char *why = judge_dir(dir, &handle, is_listed);
	make_levels(dir);
	if (dir_is_own(dir)) {
		g_free(why);
		dir->excluded = g_strdup(_("it belongs to Tarsier itself"));
	} else if (dir->leads_to_listed_dir) {
		dir->transit = why;
	} else {
		dir->excluded = why;
	}
	return dir;
}

RulesDir *rules_dir_ref(RulesDir *dir)
{
	g_atomic_ref_count_inc(&dir->refs);
	return dir;
}

void rules_dir_unref(RulesDir *dir)
{
	while (dir && g_atomic_ref_count_dec(&dir->refs)) {
		RulesDir *parent = dir->parent;
		g_clear_pointer(&dir->levels, g_array_unref);
		ignore_list_free(dir->ignores);
		g_free(dir->path);
		g_free(dir->excluded);
		g_free(dir->transit);
		g_free(dir);
		dir = parent;
	}
}

const char *rules_dir_excluded(const RulesDir *dir)
{
	return dir->excluded;
}

static bool needs_path(const Policy *policy)
{
	return ignore_list_needs_path(policy->hidden) || ignore_list_needs_path(policy->exclude) ||
	       ignore_list_needs_path(policy->include);
}

bool rules_dir_is_bound(const RulesDir *dir)
{
	return dir->levels || dir->transit || dir->leads_to_listed_dir || dir->policy->path ||
	       needs_path(dir->policy) ||
	       g_strv_contains((const char *const *)dir->rules->listed, dir->path);
}

bool rules_entry_is_bound(const RulesDir *dir, const char *name)
{
	g_autofree char *path = rules_join(dir, name);
	bool listed;
	for (char **own = dir->rules->own; *own; own++)
		if (g_str_has_prefix(*own, path))
			return true;
	return dir->levels || dir->transit || dir->policy->path || needs_path(dir->policy) ||
	       leads_to_listed(dir->rules, path, &listed) || listed ||
	       policy_set_divides(dir->rules->policies, path);
}

bool rules_is_marker(const char *name)
{
	static const char *const markers[] = {
	        ".tarsierignore", "CACHEDIR.TAG", ".nomedia", ".trackerignore", ".noindex", NULL};
	return g_strv_contains(markers, name);
}

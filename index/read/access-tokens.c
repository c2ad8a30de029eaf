/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/access-tokens.h"
#include <endian.h>
#include <errno.h>
#include <grp.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <pwd.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { DIRS_MOST = 4096, DIRS_US = 1000000, ACL_BYTES_MOST = 64 << 10, GROUPS_MOST = 1024 };

/* In the order in which they are printed. */
typedef enum { TOKEN_WORLD, TOKEN_GROUP, TOKEN_USER } AccessTokenKind;

/* Sets of tokens: arrays of uint64_t, the kind above the id. */
typedef struct {
	GArray *allow, *deny;
} TokenSets;

struct AccessTokens {
	char *host;
	GHashTable *dirs; /* path -> TokenSets: what it takes to reach the entries of it */
	int64_t dirs_us; /* when the first of them was read */
	GHashTable *members; /* uid -> GArray of gid_t; the groups of a user */
};

static TokenSets *token_sets_new(void)
{
	TokenSets *sets = g_new(TokenSets, 1);
	sets->allow = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	sets->deny = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	return sets;
}

static void token_sets_free(TokenSets *sets)
{
	g_array_unref(sets->allow);
	g_array_unref(sets->deny);
	g_free(sets);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TokenSets, token_sets_free)

static void access_tokens_free_sets(void *sets)
{
	token_sets_free(sets);
}

static void access_tokens_free_groups(void *groups)
{
	g_array_unref(groups);
}

AccessTokens *access_tokens_new(const char *host)
{
	AccessTokens *tokens = g_new0(AccessTokens, 1);
	tokens->host = g_strdup(host);
	tokens->dirs =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, access_tokens_free_sets);
	tokens->members = g_hash_table_new_full(NULL, NULL, NULL, access_tokens_free_groups);
	return tokens;
}

void access_tokens_free(AccessTokens *tokens)
{
	if (!tokens)
		return;
	g_hash_table_unref(tokens->dirs);
	g_hash_table_unref(tokens->members);
	g_free(tokens->host);
	g_free(tokens);
}

void access_list_clear(AccessList *list)
{
	g_clear_pointer(&list->allow, g_ptr_array_unref);
	g_clear_pointer(&list->deny, g_ptr_array_unref);
}

/* ---- sets */

static uint64_t token_of(AccessTokenKind kind, uint32_t id)
{
	return (uint64_t)kind << 32 | id;
}

static bool set_has(const GArray *set, uint64_t token)
{
	for (guint i = 0; i < set->len; i++)
		if (g_array_index(set, uint64_t, i) == token)
			return true;
	return false;
}

static void set_add(GArray *set, uint64_t token)
{
	if (!set_has(set, token))
		g_array_append_val(set, token);
}

static void set_add_all(GArray *set, const GArray *other)
{
	for (guint i = 0; i < other->len; i++)
		set_add(set, g_array_index(other, uint64_t, i));
}

static bool set_has_world(const GArray *set)
{
	return set_has(set, token_of(TOKEN_WORLD, 0));
}

static const GArray *groups_of_user(AccessTokens *tokens, uint32_t uid)
{
	GArray *groups = g_hash_table_lookup(tokens->members, GUINT_TO_POINTER(uid));
	if (groups)
		return groups;
	int n = GROUPS_MOST;
	groups = g_array_new(FALSE, TRUE, sizeof(gid_t));
	g_array_set_size(groups, n);
	const struct passwd *passwd = getpwuid(uid);
	bool known = passwd &&
	             getgrouplist(passwd->pw_name, passwd->pw_gid, (gid_t *)groups->data, &n) >= 0;
	g_array_set_size(groups, known ? n : 0);
	g_hash_table_insert(tokens->members, GUINT_TO_POINTER(uid), groups);
	return groups;
}

/* Is everybody who has the token let in by this set? */
static bool set_covers(AccessTokens *tokens, const GArray *allow, uint64_t token)
{
	if (set_has_world(allow) || set_has(allow, token))
		return true;
	if (token >> 32 != TOKEN_USER)
		return false;
	const GArray *groups = groups_of_user(tokens, (uint32_t)token);
	for (guint i = 0; i < groups->len; i++)
		if (set_has(allow, token_of(TOKEN_GROUP, g_array_index(groups, gid_t, i))))
			return true;
	return false;
}

static void add_covered(AccessTokens *tokens, GArray *out, const GArray *from, const GArray *other)
{
	for (guint i = 0; i < from->len; i++)
		if (set_covers(tokens, other, g_array_index(from, uint64_t, i)))
			set_add(out, g_array_index(from, uint64_t, i));
}

/* Narrows sets to those whom step lets in too. */
static void token_sets_narrow(AccessTokens *tokens, TokenSets *sets, const TokenSets *step)
{
	GArray *both = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	add_covered(tokens, both, sets->allow, step->allow);
	add_covered(tokens, both, step->allow, sets->allow);
	g_array_unref(sets->allow);
	sets->allow = both;
	set_add_all(sets->deny, step->deny);
}

/* ---- the permissions of one inode */

typedef struct {
	uint32_t wanted; /* ACL_READ or ACL_EXECUTE */
	uint32_t owner, owner_group;
	bool others; /* everybody else is let in */
	TokenSets *sets;
} AccessStep;

static void step_add_user(AccessStep *step, uint32_t uid, uint32_t permissions)
{
	bool is_allowed = (permissions & step->wanted) != 0;
	set_add(is_allowed ? step->sets->allow : step->sets->deny, token_of(TOKEN_USER, uid));
}

/* A group that is refused matters only if everybody else is let in. */
static void step_add_group(AccessStep *step, uint32_t gid, uint32_t permissions)
{
	if (permissions & step->wanted)
		set_add(step->sets->allow, token_of(TOKEN_GROUP, gid));
	else if (step->others)
		set_add(step->sets->deny, token_of(TOKEN_GROUP, gid));
}

typedef struct {
	const struct posix_acl_xattr_entry *entries;
	size_t n;
	uint32_t mask;
} AccessAcl;

/* Parses what the kernel gives as system.posix_acl_access (linux/posix_acl_xattr.h). */
static bool acl_parse(const uint8_t *bytes, ssize_t length, AccessAcl *acl)
{
	const struct posix_acl_xattr_header *header = (const void *)bytes;
	if (length < (ssize_t)sizeof *header ||
	        le32toh(header->a_version) != POSIX_ACL_XATTR_VERSION)
		return false;
	acl->entries = (const void *)(header + 1);
	acl->n = (length - sizeof *header) / sizeof *acl->entries;
	acl->mask = ACL_READ | ACL_WRITE | ACL_EXECUTE;
	for (size_t i = 0; i < acl->n; i++)
		if (le16toh(acl->entries[i].e_tag) == ACL_MASK)
			acl->mask = le16toh(acl->entries[i].e_perm);
	return acl->n > 0;
}

static void step_add_entry(
        AccessStep *step, const AccessAcl *acl, const struct posix_acl_xattr_entry *entry)
{
	uint32_t permissions = le16toh(entry->e_perm), id = le32toh(entry->e_id);
	switch (le16toh(entry->e_tag)) {
	case ACL_USER:
		if (id != step->owner)
			step_add_user(step, id, permissions & acl->mask);
		break;
	case ACL_GROUP_OBJ:
		step_add_group(step, step->owner_group, permissions & acl->mask);
		break;
	case ACL_GROUP:
		step_add_group(step, id, permissions & acl->mask);
		break;
	default: /* the owner and others are in the mode, too */
		break;
	}
}

/* Reads the access control list. *acl has no entries if there is none. bytes: ACL_BYTES_MOST, which
 * the list refers to. False: it cannot be read, so nobody knows who is let in. */
static bool acl_read(const char *path, uint8_t *bytes, AccessAcl *acl)
{
	ssize_t length = lgetxattr(path, "system.posix_acl_access", bytes, ACL_BYTES_MOST);
	*acl = (AccessAcl){0};
	if (length < 0)
		return errno == ENODATA || errno == EOPNOTSUPP;
	return acl_parse(bytes, length, acl);
}

/* Returns what it takes to use the entry. NULL: it cannot be looked at. */
static TokenSets *access_step(const char *path, uint32_t wanted, struct stat *st)
{
	_Alignas(uint32_t) uint8_t bytes[ACL_BYTES_MOST];
	AccessAcl acl;
	if (lstat(path, st) != 0 || !acl_read(path, bytes, &acl))
		return NULL;
	TokenSets *sets = token_sets_new();
	AccessStep step = {wanted, st->st_uid, st->st_gid, (st->st_mode & wanted) != 0, sets};
	step_add_user(&step, st->st_uid, st->st_mode >> 6 & 7);
	for (size_t i = 0; i < acl.n; i++)
		step_add_entry(&step, &acl, &acl.entries[i]);
	if (acl.n == 0)
		step_add_group(&step, st->st_gid, st->st_mode >> 3 & 7);
	if (step.others)
		set_add(sets->allow, token_of(TOKEN_WORLD, 0));
	return sets;
}

/* ---- paths */

static void access_tokens_expire(AccessTokens *tokens)
{
	int64_t now_us = g_get_monotonic_time();
	if (g_hash_table_size(tokens->dirs) >= DIRS_MOST || now_us - tokens->dirs_us > DIRS_US) {
		g_hash_table_remove_all(tokens->dirs);
		tokens->dirs_us = now_us;
	}
}

/* Reads the directories from the root of the file system down to this one. The sets belong to
 * tokens. NULL: one of them cannot be looked at. */
static const TokenSets *access_of_dir(AccessTokens *tokens, const char *dir)
{
	struct stat st;
	const TokenSets *known = g_hash_table_lookup(tokens->dirs, dir);
	if (known)
		return known;
	g_autoptr(TokenSets) sets = access_step(dir, ACL_EXECUTE, &st);
	if (sets && strcmp(dir, "/") != 0) {
		g_autofree char *above = g_path_get_dirname(dir);
		const TokenSets *way = access_of_dir(tokens, above);
		if (!way)
			return NULL;
		token_sets_narrow(tokens, sets, way);
	}
	known = sets;
	if (sets)
		g_hash_table_insert(tokens->dirs, g_strdup(dir), g_steal_pointer(&sets));
	return known;
}

/* ---- as text */

static int compare_tokens(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static GPtrArray *access_print(const AccessTokens *tokens, GArray *set)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	g_array_sort(set, compare_tokens);
	for (guint i = 0; i < set->len; i++) {
		uint64_t token = g_array_index(set, uint64_t, i);
		if (token >> 32 == TOKEN_WORLD)
			g_ptr_array_add(texts, g_strdup("world"));
		else
			g_ptr_array_add(texts,
			        g_strdup_printf("%c:%u@%s", token >> 32 == TOKEN_USER ? 'u' : 'g',
			                (uint32_t)token, tokens->host));
	}
	return texts;
}

static void access_fill(const AccessTokens *tokens, TokenSets *sets, AccessList *out)
{
	if (set_has_world(sets->allow)) { /* the others say nothing more */
		g_array_set_size(sets->allow, 0);
		set_add(sets->allow, token_of(TOKEN_WORLD, 0));
	}
	out->allow = access_print(tokens, sets->allow);
	out->deny = access_print(tokens, sets->deny);
}

bool access_tokens_of_file(
        AccessTokens *tokens, const char *path, AccessList *out, struct stat *stat_r)
{
	g_autofree char *dir = g_path_get_dirname(path);
	*out = (AccessList){0};
	access_tokens_expire(tokens);
	const TokenSets *way = access_of_dir(tokens, dir);
	g_autoptr(TokenSets) sets = way ? access_step(path, ACL_READ, stat_r) : NULL;
	if (!sets)
		return false;
	token_sets_narrow(tokens, sets, way);
	access_fill(tokens, sets, out);
	return true;
}

void access_tokens_of_owner(AccessTokens *tokens, uint32_t uid, AccessList *out)
{
	g_autoptr(TokenSets) sets = token_sets_new();
	set_add(sets->allow, token_of(TOKEN_USER, uid));
	access_fill(tokens, sets, out);
}

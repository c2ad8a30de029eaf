/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access-tokens.h - who may read a file, as tokens that mean something away from this machine
 *
 * A token is a user ("u:1000@host"), a group ("g:100@host") or everybody ("world"). Somebody may
 * read the file if he has one of the tokens of allow and none of deny: deny wins. The model is that
 * of Apache ManifoldCF. The tokens cover the file itself and the search permission of all
 * directories above it, with their POSIX access control lists (IEEE 1003.1e draft 17, acl(5)).
 *
 * Where two tokens cannot say what the kernel would do, they allow less, never more: a member of a
 * group that is refused is refused, even if another of his groups is let in or he is the owner; and
 * where one directory lets in a group and the next one another, nobody is let in but the users who
 * are named and known to be in both. Capabilities (root) are not considered. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Remembers directories for a second, and the groups of users. */
typedef struct AccessTokens AccessTokens;

/* host: copied; what follows the "@". */
AccessTokens *access_tokens_new(const char *host);
void access_tokens_free(AccessTokens *tokens);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AccessTokens, access_tokens_free)

/* char * in ascending order. Both empty: nobody. */
typedef struct {
	GPtrArray *allow, *deny;
} AccessList;
void access_list_clear(AccessList *list);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AccessList, access_list_clear)

/* Reads the permissions of an absolute path, whose last component is not followed if it is a link.
 * *stat_r: of the file. False if the file, or a directory above it, cannot be read at this moment;
 * *out is then {NULL, NULL}. */
bool access_tokens_of_file(
        AccessTokens *tokens, const char *path, AccessList *out, struct stat *stat_r);
/* Documents that only their owner may read, as those of sites and feeds. */
void access_tokens_of_owner(AccessTokens *tokens, uint32_t uid, AccessList *out);

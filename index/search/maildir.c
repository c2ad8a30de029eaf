/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/maildir.h"
#include <string.h>

/* The flags of a name, which end with it; NULL if it has none. */
static const char *maildir_flags(const char *name, size_t length)
{
	enum { MARK = 3 }; /* ":2," */
	for (size_t at = length; at >= MARK; at--)
		if (name[at - 1] == ',' && name[at - 2] == '2' &&
		        memchr(":;!", name[at - 3], strlen(":;!")))
			return name + at;
	return NULL;
}

static bool maildir_has_flag(const char *name, size_t length, char flag)
{
	const char *flags = maildir_flags(name, length);
	return flags && memchr(flags, flag, name + length - flags);
}

bool maildir_state(const char *dir, const char *name, size_t length, const char *state)
{
	const char *slash = dir ? strrchr(dir, '/') : NULL;
	bool is_new = slash && strcmp(slash, "/new") == 0;
	if (!is_new && !(slash && strcmp(slash, "/cur") == 0))
		return false;
	if (strcmp(state, "unread") == 0)
		return !maildir_has_flag(name, length, 'S');
	if (strcmp(state, "flagged") == 0)
		return maildir_has_flag(name, length, 'F');
	return strcmp(state, "answered") == 0 && maildir_has_flag(name, length, 'R');
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sole-member.h - a compressed file and its only member are one hit
 *
 * "notes.txt.gz" has two documents: the file, which has a name but no text, and its member
 * notes.txt. A query that finds both, by the name, would show the same thing twice. Both get the
 * group of the member, and the better one is shown. Which files are compressed their names tell;
 * archives of more members are left alone. With DUPS_SHOW both are hits. */
#pragma once
#include <stdbool.h>

/* Does the name end like that of a compressed file (.gz, .xz, ...)? name: bytes without NUL. */
bool sole_member_name(const char *name, int length);

/* SQL: the document that tells the group of document d (index/search/search-private.h), of an entry
 * n. Two members are enough to know that there are more: an archive of many has as many rows.
 * search_register() makes the function known. */
#define SOLE_MEMBER_OR_SELF                                                                        \
	"CASE WHEN tarsier_compressed(n.name) THEN coalesce((SELECT CASE count(*) WHEN 1 THEN "    \
	"max(id) END FROM (SELECT o.id FROM document o CROSS JOIN fact g ON g.document = o.id "    \
	"WHERE o.content = d.content AND g.member IS NOT NULL LIMIT 2)), d.id) ELSE d.id END"

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/xml/xml-data.h"

enum { MOST_SEEN = 4096 };

bool xml_is_document(const char *root)
{
	static const char *const roots[] = {"TEI", "TEI.2", "article", "book", "bookmap", "chapter",
	        "concept", "dita", "glossary", "html", "opml", "part", "plist", "preface",
	        "refentry", "reference", "sect1", "section", "set", "task", "topic", "xmap-content",
	        "FictionBook", NULL};
	return g_strv_contains(roots, root);
}

bool xml_has_letter(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (g_ascii_isalpha(text[i]) || (text[i] & 0x80))
			return true;
	return false;
}

bool xml_is_new(GHashTable *seen, const char *text, size_t length)
{
	if (g_hash_table_size(seen) >= MOST_SEEN || !xml_has_letter(text, length))
		return false;
	return g_hash_table_add(seen, g_strndup(text, length));
}

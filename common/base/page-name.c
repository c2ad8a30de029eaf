/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/page-name.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

static const struct {
	const char *type, *name;
} page_names[] = {
        {"application/json", "page.json"},
        {"application/ld+json", "page.json"},
        {"application/yaml", "page.yaml"},
        {"text/calendar", "page.ics"},
        {"text/csv", "page.csv"},
        {"text/markdown", "page.md"},
        {"text/tab-separated-values", "page.tsv"},
        {"text/vcard", "page.vcf"},
        {"text/x-diff", "page.diff"},
        {"text/x-patch", "page.diff"},
};

static bool type_is(const char *media_type, const char *wanted)
{
	size_t length = strlen(wanted);
	return g_ascii_strncasecmp(media_type, wanted, length) == 0 &&
	       (!media_type[length] || strchr("; \t,", media_type[length]));
}

/* Most servers declare a type that they do not know as plain text, or as bytes. */
static const char *name_of_type(const char *media_type)
{
	for (size_t i = 0; i < G_N_ELEMENTS(page_names); i++)
		if (type_is(media_type, page_names[i].type))
			return page_names[i].name;
	bool is_text = g_ascii_strncasecmp(media_type, "text/", strlen("text/")) == 0;
	return is_text ? "page.txt" : "page.html";
}

/* The last name of the path, if it has an extension; NULL: it has none. */
static char *name_of_path(const char *url)
{
	g_autofree char *path = g_strndup(url, strcspn(url, "?#"));
	const char *authority = strstr(path, "://");
	const char *slash = strrchr(authority ? authority + strlen("://") : path, '/');
	return slash && strchr(slash, '.') ? g_strdup(slash + 1) : NULL;
}

char *page_file_name(const char *url, const char *media_type)
{
	if (!media_type)
		media_type = "";
	if (type_is(media_type, "text/html") || type_is(media_type, "application/xhtml+xml"))
		return g_strdup("page.html");
	char *name = name_of_path(url);
	return name ? name : g_strdup(name_of_type(media_type));
}

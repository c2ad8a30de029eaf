/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/web-agent.h"
#include <glib.h>
#include <string.h>

static bool contact_is_url(const char *text)
{
	const char *host = g_str_has_prefix(text, "http://")    ? text + strlen("http://")
	                   : g_str_has_prefix(text, "https://") ? text + strlen("https://")
	                                                        : NULL;
	return host && g_ascii_isalnum(*host) && !strchr(host, '@');
}

/* name@host, where the host has a dot between other characters. */
static bool contact_is_mail(const char *text)
{
	const char *at = strchr(text, '@');
	if (!at || at == text || strcspn(text, ":/,@") != (size_t)(at - text))
		return false;
	const char *host = at + 1, *dot = strchr(host, '.');
	for (const char *p = host; *p; p++)
		if (!g_ascii_isalnum(*p) && *p != '-' && *p != '.')
			return false;
	return dot && dot != host && !g_str_has_suffix(host, ".") && !strstr(host, "..");
}

bool web_contact_is_valid(const char *text)
{
	if (strlen(text) > WEB_CONTACT_MOST)
		return false;
	for (const char *p = text; *p; p++)
		if (!g_ascii_isgraph(*p) || strchr("()<>\\\";", *p))
			return false;
	return contact_is_url(text) || contact_is_mail(text);
}

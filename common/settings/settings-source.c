/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/settings/settings.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "common/url/url-canonical.h"
#include <string.h>

char *settings_source_url(const char *text, GError **error)
{
	const char *reason = _("it must begin with http:// or https://");
	bool is_web = g_ascii_strncasecmp(text, "http://", strlen("http://")) == 0 ||
	              g_ascii_strncasecmp(text, "https://", strlen("https://")) == 0;
	g_autofree char *url = is_web ? url_canonical(text, -1, NULL, &reason) : NULL;
	/* "http:////" is canonical, but has no host. */
	if (url && strstr(url, "://"))
		return g_steal_pointer(&url);
	g_autoptr(GString) shown = g_string_new(NULL);
	text_append_escaped(shown, text, -1);
	g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE,
	        _("\"%s\" is not the URL of a site or feed: %s"), shown->str, reason);
	return NULL;
}

SettingsSource settings_source_preset(const Settings *s, const char *url)
{
	const char *about = settings_string(s, "web", "about", url);
	const char *contact = settings_string(s, "web", "contact", url);
	return (SettingsSource){
	        .url = url,
	        .is_feed = strcmp(settings_string(s, "web", "kind", url), "feed") == 0,
	        .pages = settings_int(s, "web", "pages", url),
	        .depth = settings_int(s, "web", "depth", url),
	        .bytes = settings_int(s, "web", "bytes", url),
	        .every_s = settings_int(s, "web", "every", url),
	        .include = settings_list(s, "web", "include", url),
	        .exclude = settings_list(s, "web", "exclude", url),
	        .about = *about ? about : NULL,
	        .full = settings_bool(s, "web", "full", url),
	        .keep = settings_string(s, "web", "keep", url),
	        .contact = *contact ? contact : NULL,
	        .partition = settings_string(s, "web", "partition", url),
	};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-config.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/store/change-types.h"
#include <string.h>

/* *out_r: the path that a user wrote, made absolute; NULL if text is empty. */
static bool export_config_credentials(const char *text, char **out_r, GError **error)
{
	*out_r = *text ? paths_expand(text) : NULL;
	if (*out_r || !*text)
		return true;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
	        _("credentials in %s: the path must begin with / or ~/"), text);
	return false;
}

static bool export_config_check(
        const Cli *cli, const Settings *settings, const char *name, GError **error)
{
	if (!consumer_name_is_valid(name)) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("an export needs a name of letters, digits, \"-\", \"_\" and \".\""));
		return false;
	}
	if (g_strv_contains(settings_exports(settings), name))
		return true;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
	        _("there is no section [export %s] in %s; it needs a line \"to = TARGET\""), name,
	        cli->config_file);
	return false;
}

bool export_config_read(Cli *cli, const char *name, ExportConfig *out, GError **error)
{
	const Settings *settings = cli_settings(cli, error);
	*out = (ExportConfig){0};
	if (!settings || !export_config_check(cli, settings, name, error))
		return false;
	const char *to = settings_string(settings, "export", "to", name);
	if (*to == '\0') {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("the section [export %s] has no line \"to = TARGET\""), name);
		return false;
	}
	if (!export_config_credentials(settings_string(settings, "export", "credentials", name),
	            &out->credentials, error))
		return false;
	out->to = g_strdup(to);
	return true;
}

void export_config_clear(ExportConfig *config)
{
	g_clear_pointer(&config->to, g_free);
	g_clear_pointer(&config->credentials, g_free);
}

int export_fail(const GError *error)
{
	int code = cli_fail(error);
	return g_error_matches(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE) ? EXIT_BUSY : code;
}

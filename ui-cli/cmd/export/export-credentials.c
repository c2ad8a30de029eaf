/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-credentials.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { CREDENTIALS_MOST = 64 << 10 };

static bool credentials_fail(const char *path, const char *why, GError **error)
{
	g_autofree char *shown = g_filename_display_name(path);
	g_set_error(
	        error, EXPORT_ERROR, EXPORT_ERROR_REFUSED, _("credentials in %s: %s"), shown, why);
	return false;
}

/* Who may read or change the file? */
static bool credentials_check(const char *path, const struct stat *st, GError **error)
{
	if (!S_ISREG(st->st_mode))
		return credentials_fail(path, _("this is not a file"), error);
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return credentials_fail(path, _("the file belongs to another user"), error);
	if (st->st_mode & 077)
		return credentials_fail(
		        path, _("the file is open to other users; set its mode to 600"), error);
	if (st->st_size > CREDENTIALS_MOST)
		return credentials_fail(path, _("the file is too large"), error);
	return true;
}

static bool credentials_load(const char *path, char *text, size_t *length_r, GError **error)
{
	struct stat st;
	size_t length = 0;
	ssize_t got = 1;
	/* a pipe must not hold us up */
	autofd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0)
		return credentials_fail(path, g_strerror(errno), error);
	if (!credentials_check(path, &st, error))
		return false;
	while (got > 0 && length < CREDENTIALS_MOST) {
		got = TEMP_FAILURE_RETRY(read(fd, text + length, CREDENTIALS_MOST - length));
		length += MAX(got, 0);
	}
	text[length] = '\0';
	*length_r = length;
	return got >= 0 || credentials_fail(path, g_strerror(errno), error);
}

static char **credentials_slot(ExportCredentials *credentials, const char *name)
{
	if (strcmp(name, "user") == 0)
		return &credentials->user;
	if (strcmp(name, "password") == 0)
		return &credentials->password;
	return strcmp(name, "api-key") == 0 ? &credentials->api_key : NULL;
}

static bool credentials_is_plain(const char *value)
{
	for (; *value; value++)
		if (g_ascii_iscntrl(*value))
			return false;
	return true;
}

/* Takes a line, which it changes. False: it is none of those that are known. */
static bool credentials_take(ExportCredentials *credentials, char *line)
{
	char *equals = strchr(g_strstrip(line), '=');
	if (line[0] == '\0' || line[0] == '#')
		return true;
	if (!equals)
		return false;
	*equals = '\0';
	char **slot = credentials_slot(credentials, g_strchomp(line));
	const char *value = g_strstrip(equals + 1);
	if (!slot || *slot || *value == '\0' || !credentials_is_plain(value))
		return false;
	*slot = g_strdup(value);
	return true;
}

static bool credentials_take_lines(
        const char *path, char *text, ExportCredentials *credentials, GError **error)
{
	unsigned number = 0;
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		if (credentials_take(credentials, line))
			continue;
		g_autofree char *why =
		        g_strdup_printf(_("line %u is none of: user = NAME, password = WORD, "
		                          "api-key = KEY, # comment"),
		                number);
		return credentials_fail(path, why, error);
	}
	if (!credentials->user == !credentials->password &&
	        !credentials->user != !credentials->api_key)
		return true;
	return credentials_fail(
	        path, _("it needs user and password, or an api-key, and not both"), error);
}

bool export_credentials_parse(
        const char *path, char *text, size_t length, ExportCredentials *out, GError **error)
{
	*out = (ExportCredentials){0};
	if (strlen(text) != length || !g_utf8_validate(text, (gssize)length, NULL))
		return credentials_fail(path, _("the file is not UTF-8"), error);
	if (credentials_take_lines(path, text, out, error))
		return true;
	export_credentials_clear(out);
	return false;
}

bool export_credentials_read(const char *path, ExportCredentials *out, GError **error)
{
	size_t length = 0;
	g_autofree char *text = g_malloc(CREDENTIALS_MOST + 1);
	*out = (ExportCredentials){0};
	bool ok = credentials_load(path, text, &length, error) &&
	          export_credentials_parse(path, text, length, out, error);
	explicit_bzero(text, CREDENTIALS_MOST + 1);
	return ok;
}

static void credentials_wipe(char **value)
{
	if (*value)
		explicit_bzero(*value, strlen(*value));
	g_clear_pointer(value, g_free);
}

void export_credentials_clear(ExportCredentials *credentials)
{
	credentials_wipe(&credentials->user);
	credentials_wipe(&credentials->password);
	credentials_wipe(&credentials->api_key);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/config-watch.h"
#include "common/base/autofd.h"
#include "common/settings/conffile.h"
#include "common/settings/settings-value.h"
#include <glib-unix.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* An editor writes more than one file, and a file that disappears may come back. */
enum { SETTLE_MS = 200, GONE_MS = 2000 };

enum {
	EVENTS = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_MOVE_SELF | IN_DELETE |
	         IN_CREATE | IN_ONLYDIR
};

struct ConfigWatch {
	char *file, *drop_ins;
	ConfigWatchFunc changed;
	void *data;
	int fd;
	guint source, timer;
	char *read; /* digest of the files as they were last read; NULL: not yet */
	bool was_there; /* the file existed when it was read */
};

/* ---- the content of the files */

static void config_watch_add_file(GChecksum *checksum, const char *path)
{
	GString *text = NULL;
	bool readable = conffile_read(path, &text, NULL) && text;
	g_checksum_update(checksum, (const guchar *)path, strlen(path) + 1);
	g_checksum_update(checksum, (const guchar *)(readable ? "+" : "-"), 1);
	if (readable)
		g_checksum_update(checksum, (const guchar *)text->str, text->len);
	if (text)
		g_string_free(text, TRUE);
}

static char *config_watch_digest(const ConfigWatch *watch)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	config_watch_add_file(checksum, watch->file);
	g_autoptr(GPtrArray) drop_ins = settings_drop_ins(watch->file, NULL);
	for (guint i = 0; drop_ins && i < drop_ins->len; i++)
		config_watch_add_file(checksum, drop_ins->pdata[i]);
	return g_strdup(g_checksum_get_string(checksum));
}

static bool config_watch_is_there(const ConfigWatch *watch)
{
	return g_file_test(watch->file, G_FILE_TEST_EXISTS);
}

/* ---- events */

/* Watches the directory, or the nearest one above it that can be watched. Repeating it has no
 * effect. */
static void watch_nearest(const ConfigWatch *watch, const char *path)
{
	g_autofree char *at = g_strdup(path);
	while (inotify_add_watch(watch->fd, at, EVENTS) < 0 && strcmp(at, "/") != 0 &&
	        strcmp(at, ".") != 0) {
		char *above = g_path_get_dirname(at);
		g_free(at);
		at = above;
	}
}

static void config_watch_arm(const ConfigWatch *watch)
{
	g_autofree char *dir = g_path_get_dirname(watch->file);
	watch_nearest(watch, dir);
	watch_nearest(watch, watch->drop_ins);
}

/* Returns true if there were events. */
static bool config_watch_drain(const ConfigWatch *watch)
{
	char events[4096] __attribute__((aligned(8)));
	bool any = false;
	while (watch->fd >= 0 && read(watch->fd, events, sizeof events) > 0)
		any = true;
	return any;
}

static bool config_watch_differs(const ConfigWatch *watch)
{
	g_autofree char *now = config_watch_digest(watch);
	return g_strcmp0(now, watch->read) != 0;
}

static gboolean on_settled(gpointer data)
{
	ConfigWatch *watch = data;
	watch->timer = 0;
	if (config_watch_differs(watch))
		watch->changed(watch->data);
	return G_SOURCE_REMOVE;
}

static void wait_until_settled(ConfigWatch *watch)
{
	bool gone = watch->was_there && !config_watch_is_there(watch);
	g_clear_handle_id(&watch->timer, g_source_remove);
	watch->timer = g_timeout_add(gone ? GONE_MS : SETTLE_MS, on_settled, watch);
}

static gboolean on_events(int fd, GIOCondition condition, gpointer data)
{
	ConfigWatch *watch = data;
	if (config_watch_drain(watch)) {
		config_watch_arm(watch);
		wait_until_settled(watch);
	}
	return G_SOURCE_CONTINUE;
}

/* ---- life */

ConfigWatch *config_watch_new(const char *file, ConfigWatchFunc changed, void *data)
{
	ConfigWatch *watch = g_new0(ConfigWatch, 1);
	watch->file = g_strdup(file);
	watch->drop_ins = g_strconcat(file, ".d", NULL);
	watch->changed = changed;
	watch->data = data;
	watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->fd >= 0) {
		config_watch_arm(watch);
		watch->source = g_unix_fd_add(watch->fd, G_IO_IN, on_events, watch);
	}
	config_watch_read(watch);
	return watch;
}

void config_watch_read(ConfigWatch *watch)
{
	g_clear_handle_id(&watch->timer, g_source_remove);
	config_watch_arm(watch); /* another directory may have taken the place of the watched one */
	g_free(watch->read);
	watch->read = config_watch_digest(watch);
	watch->was_there = config_watch_is_there(watch);
}

void config_watch_poll(ConfigWatch *watch)
{
	if (config_watch_drain(watch)) {
		config_watch_arm(watch);
		wait_until_settled(watch);
	}
	if (watch->timer == 0 || (watch->was_there && !config_watch_is_there(watch)))
		return;
	g_clear_handle_id(&watch->timer, g_source_remove);
	if (config_watch_differs(watch))
		watch->changed(watch->data);
}

void config_watch_free(ConfigWatch *watch)
{
	if (!watch)
		return;
	g_clear_handle_id(&watch->timer, g_source_remove);
	g_clear_handle_id(&watch->source, g_source_remove);
	autofd_close(&watch->fd);
	g_free(watch->file);
	g_free(watch->drop_ins);
	g_free(watch->read);
	g_free(watch);
}

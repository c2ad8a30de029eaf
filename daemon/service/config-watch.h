/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config-watch.h - reports that the configuration differs from what was last read
 *
 * It watches the directories of tarsier.conf and tarsier.conf.d, or the nearest existing ones above
 * them. A change is reported when the writer closes the file. Editors may remove the file for a
 * moment, so a removal is reported only after a while. Main loop only. */
#pragma once
#include <stdbool.h>

typedef struct ConfigWatch ConfigWatch;

typedef void (*ConfigWatchFunc)(void *data);

/* file: the user's tarsier.conf. Never returns NULL; without inotify it reports nothing. */
ConfigWatch *config_watch_new(const char *file, ConfigWatchFunc changed, void *data);
/* The configuration is about to be read. */
void config_watch_read(ConfigWatch *watch);
/* Reports at once a change that was written before this call. */
void config_watch_poll(ConfigWatch *watch);
void config_watch_free(ConfigWatch *watch);

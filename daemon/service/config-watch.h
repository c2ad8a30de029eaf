/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config-watch.h - tells when the user's configuration holds something else than when it was read
 *
 * The directories of tarsier.conf and of tarsier.conf.d are watched, or the nearest above that are
 * there. What is written is told when the writer closes it; editors may take the file away for a
 * moment, so that it must be gone for a while before that is told. Main loop only. */
#pragma once
#include <stdbool.h>

typedef struct ConfigWatch ConfigWatch;

typedef void (*ConfigWatchFunc)(void *data);

/* file: the user's tarsier.conf. Never NULL; without inotify it tells nothing. */
ConfigWatch *config_watch_new(const char *file, ConfigWatchFunc changed, void *data);
/* The configuration is about to be read. */
void config_watch_read(ConfigWatch *watch);
/* Tells at once what was written before now. */
void config_watch_poll(ConfigWatch *watch);
void config_watch_free(ConfigWatch *watch);

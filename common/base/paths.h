/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h - where configuration, index, cache and socket are
 *
 * XDG base directories. Directories are made 0700 and files 0600 whatever the umask. Paths are raw
 * bytes. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* option: from --index or --config, or NULL: then the environment (TARSIER_INDEX, TARSIER_CONFIG),
 * then the default. Absolute. Yours. */
char *paths_index_dir(const char *option); /* $XDG_DATA_HOME/tarsier */
char *paths_config_file(const char *option); /* $XDG_CONFIG_HOME/tarsier/tarsier.conf */
/* Cache and socket belong to one index: the default index has cache "$XDG_CACHE_HOME/tarsier" and
 * socket
 * "$XDG_RUNTIME_DIR/tarsier/ctl"; any other index has both inside its own directory ("cache",
 * "ctl"), as has the default one without XDG_RUNTIME_DIR. */
char *paths_cache_dir(const char *index_dir);
char *paths_socket(const char *index_dir);

/* A path as people write it: a leading "~", "$HOME" or "${HOME}" is the home directory. Absolute,
 * without "." and "..", no trailing slash; links are not looked at. Yours; NULL if it is not
 * absolute then. */
char *paths_expand(const char *path);

/* Makes a directory and its missing parents. Fails if it exists as a link, belongs to somebody else
 * or is open to others and cannot be closed. */
bool paths_make_private_dir(const char *dir, GError **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - the plugins of one directory */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct Registry Registry;

typedef struct {
	const Extractor *extractor;
	const char *missing; /* why it is not usable; or NULL */
} Plugin;

/* Loads every NAME.so of the directory and preloads it. Directory and files must belong to root or
 * to the caller and be writable by no one else; a file that breaks this, does not load or has
 * another ABI is left out with a warning. NAME is the plugin's name; only: names of those to load,
 * NULL all. NULL with an error only if the directory itself is not fit. */
Registry *registry_load(const char *directory, char **only, GError **error);
/* The modules stay loaded: libraries do not survive being unloaded. */
void registry_free(Registry *registry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Registry, registry_free)

/* Ordered by name. */
size_t registry_count(const Registry *registry);
const Plugin *registry_get(const Registry *registry, size_t i);

/* The usable plugin for a type, exact before family; NULL: none. missing_r, if not NULL, gets what
 * the plugin that would do it lacks. */
const Extractor *registry_find(const Registry *registry, const char *mime, const char **missing_r);

/* Of what the plugin makes of a document: another one where text in pictures is recognised, and for
 * another language. */
uint32_t registry_version(const Registry *registry, const Extractor *extractor);

/* Types that plugins not loaded here convert (families too; "*": any that has no plugin here).
 * NULL: none. */
void registry_set_elsewhere(Registry *registry, char **types);
bool registry_is_elsewhere(const Registry *registry, const char *mime);

/* Takes out every plugin that is not one of our own plain-text readers: for a machine on which
 * nothing can be sandboxed. */
void registry_keep_only(Registry *registry, const char *name);

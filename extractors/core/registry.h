/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - loads the plugins of one directory */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct Registry Registry;

typedef struct {
	const Extractor *extractor;
	const char *missing; /* why the plugin is unusable, or NULL */
} Plugin;

/* Loads and preloads every NAME.so of the directory, where NAME is the plugin's name. only: names
 * of the plugins to load, NULL for all. The directory and its files must belong to root or to the
 * caller, and nobody else may be able to write them. A file that breaks this rule, does not load or
 * has another ABI is skipped with a warning. Returns NULL with an error only if the directory
 * itself is unsuitable. */
Registry *registry_load(const char *directory, char **only, GError **error);
/* The modules stay loaded, because some libraries crash after being unloaded. */
void registry_free(Registry *registry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Registry, registry_free)

/* The plugins may draw from now on; loads what they need for it. */
void registry_prepare_drawing(Registry *registry);
bool registry_draws(const Registry *registry);

/* Plugins are ordered by name. */
size_t registry_count(const Registry *registry);
const Plugin *registry_get(const Registry *registry, size_t i);

/* Returns the usable plugin for a type: an exact match before its family; NULL: none. missing_r may
 * be NULL; it gets what the plugin for this type lacks, or NULL. */
const Extractor *registry_find(const Registry *registry, const char *mime, const char **missing_r);

/* Version of the documents that a plugin makes. For pictures it also depends on the OCR plugin and
 * its language. */
uint32_t registry_version(const Registry *registry, const Extractor *extractor);

/* Names types that children of another lane convert, each as TYPE=LANE with the number of the lane.
 * A family stands for its types, "*" for every type that has no plugin here. False: malformed. */
bool registry_set_elsewhere(Registry *registry, char **types);
/* *lane_r: the lane for the type. */
bool registry_is_elsewhere(const Registry *registry, const char *mime, WireLane *lane_r);

/* The directories that the plugins read in the sandbox. NULL-terminated; the caller frees the array
 * alone. */
const char **registry_reads(const Registry *registry);

/* Removes all plugins but one: where there is no sandbox, only our own plain-text reader may
 * run. */
void registry_keep_only(Registry *registry, const char *name);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source-list.h - the sites and feeds of the configuration, with what the index knows of them */
#pragma once
#include "index/read/reader-web.h"
#include "ui-cli/app/cli.h"

typedef struct {
	const SettingsSource *source; /* borrowed from the settings */
	const WebSourceStats *stats; /* NULL: the index does not have it yet */
} SourceState;

typedef struct {
	GArray *states; /* SourceState, in the order of their URLs */
	GArray *stats; /* WebSourceStats; NULL without an index */
} SourceList;

/* Without settings it is empty, without an index there are no stats. The settings must outlive it.
 * The caller frees it. */
SourceList *source_list_new(Cli *cli);
void source_list_free(SourceList *list); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SourceList, source_list_free)

/* Appends the JSON object of docs/OUTPUT.md, as an element of an array or on its own. */
void source_append_json(GString *out, const SourceState *state);
/* The facts of a source, for a person, without its URL. The caller frees it. */
char *source_text(const SourceState *state);
/* A clause for a failure that the index has, translated; NULL: there is none, or it is a status of
 * HTTP. */
const char *source_failure_text(const char *failure);
/* The fault of a source, as a clause; NULL: none. The caller frees it. */
char *source_problem(const SourceState *state);

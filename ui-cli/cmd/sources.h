/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sources.h - sites and feeds for the verbs add, remove and roots */
#pragma once
#include "ui-cli/app/cli.h"

/* Is the word of a command line a URL rather than a directory? "file:" is none. */
bool source_is_url(const char *word);

/* ---- options of add (source-options.c) */

/* The options of add about a source. The lists are borrowed by sources. */
typedef struct {
	GPtrArray *include, *exclude; /* const char *, NULL-terminated; NULL: not given */
	int64_t every_s; /* -1: not given */
} SourceOptions;

/* Is an option given that is about sources? */
bool source_options_given(const Cli *cli);
/* Checks the options. False after a message. The caller clears them. */
bool source_options_read(Cli *cli, SourceOptions *options);
void source_options_clear(SourceOptions *options);
/* Changes a source as the options say. */
void source_options_apply(const Cli *cli, const SourceOptions *options, SettingsSource *source);
/* Do the options fit the source that they were applied to? False after a message. */
bool source_options_fit(const Cli *cli, const SettingsSource *source);

/* ---- add and remove */

/* Adds the site or feed of a URL after looking at it (add-source.c). Returns the exit code. */
int source_add(Cli *cli, const char *word, const SourceOptions *options);
/* Adds the feeds of an OPML file, and writes all feeds as OPML to stdout (opml.c). Each returns the
 * exit code. */
int source_add_opml(Cli *cli, const char *file, const SourceOptions *options);
int source_print_opml(Cli *cli);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbs.h - the one table of verbs: dispatch, help, man page and completions are made from it or
 * tested against it */
#pragma once
#include "ui-cli/app/cli.h"

typedef enum {
	VERB_QUERY = 1, /* options end at the first word */
	VERB_NEEDS_INDEX = 2, /* cli->reader is open when it runs */
	VERB_NEEDS_DAEMON = 4, /* cli->daemon_fd is connected when it runs */
} VerbFlags;

typedef struct {
	const char *name;
	const char *arguments; /* "FILE…", "" */
	const char *summary; /* one line, untranslated */
	const char *details; /* further lines of the help, untranslated; or NULL */
	const Option *options; /* its own */
	unsigned min_words, max_words; /* arguments that are no options */
	unsigned flags; /* VerbFlags */
	int (*run)(Cli *cli); /* exit code */
} Verb;

extern const Verb verbs[]; /* ends without name */
extern const Option common_options[];

/* NULL: no verb. */
const Verb *verb_find(const char *name);

/* cmd-help.c */
void help_all(FILE *out);
void help_verb(FILE *out, const Verb *verb);

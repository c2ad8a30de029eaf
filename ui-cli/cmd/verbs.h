/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbs.h - the table of verbs; dispatch and help use it, and tests compare man page and
 * completions with it */
#pragma once
#include "ui-cli/app/cli.h"

typedef enum {
	VERB_QUERY = 1, /* the words are a query: "-word" is one of them if it is not an option */
	VERB_NEEDS_INDEX = 2, /* cli->reader is open when it runs */
	VERB_NEEDS_DAEMON = 4, /* cli->daemon_fd is connected when it runs */
	VERB_HAS_SUBVERBS = 8, /* its first word is one of a list */
	VERB_CONFINED = 16, /* confine_client() is called before the index is opened */
	VERB_ANY_FILE = 32, /* its words name files that it reads, wherever they are */
	VERB_MAY_ASK_DAEMON = 64, /* it uses a daemon if there is one */
	VERB_NO_JSON = 256, /* it prints text that has no other form, so --json is an error */
	VERB_NAMES_PLACES = 512, /* its words are paths, URLs or documents: none is empty */
	VERB_STARTS_PROGRAMS = 128, /* cli_start_starter() is called before it is confined */
	VERB_MAKES_CONFIG = 1024, /* it, or some of its subverbs, may create the file of --config */
} VerbFlags;

typedef struct {
	const char *name;
	const char *arguments; /* "FILE…", "" */
	const char *summary; /* one line, untranslated */
	const char *details; /* further lines of the help, untranslated; or NULL */
	const Option *options; /* the verb's own options */
	unsigned min_words, max_words; /* number of arguments that are not options */
	unsigned flags; /* VerbFlags */
	int (*run)(Cli *cli); /* returns the exit code */
} Verb;

extern const Verb verbs[]; /* ends with an entry without name */
extern const Option common_options[];

/* NULL if there is no such verb. */
const Verb *verb_find(const char *name);
/* The verb that a misspelt one stands for, or NULL. strict: it has one mistake at most. */
const Verb *verb_suggest(const char *name, bool strict);

/* in cmd-help.c */
void help_all(FILE *out);
void help_verb(FILE *out, const Verb *verb);

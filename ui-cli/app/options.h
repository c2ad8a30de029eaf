/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - command line options from tables
 *
 * The tables also make the help, so an option cannot exist without its line there. Options may be
 * bundled (-lc), take their value attached (-n5, --limit=5) or as the next argument. Long names may
 * not be shortened. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef enum {
	OPTION_FLAG,
	OPTION_TEXT, /* repeatable */
	OPTION_NUMBER, /* decimal, at most 1e9 */
	OPTION_CHOICE, /* one of argument's words, which are joined by "|" */
	OPTION_MAYBE, /* --name or --name=NUMBER; also a number as the next argument, see options.c
	               */
	OPTION_COMMAND, /* a command with its arguments, see options.c */
} OptionKind;

typedef struct {
	char letter; /* 0: none */
	const char *name;
	OptionKind kind;
	const char *argument; /* shown in the help; NULL for flags */
	const char *help; /* untranslated */
} Option;

/* Tables end with an entry without name. */
#define OPTION_END                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

typedef struct {
	const Option *option;
	const char *value; /* NULL for flags; borrowed from the arguments */
} GivenOption;

typedef struct {
	GArray *given; /* GivenOption, in order */
	GPtrArray *words; /* const char *, what is no option; borrowed */
	GPtrArray *command; /* char *, of the OPTION_COMMAND; NULL-terminated; or NULL */
} Arguments;

#define OPTIONS_ERROR options_error_quark()
GQuark options_error_quark(void);
typedef enum { OPTIONS_ERROR_USAGE } OptionsError;

/* arguments: NULL-terminated, without the program's name and the verb; must outlive the result.
 * tables: NULL-terminated. words_end_options: after the first word nothing is an option any more,
 * so that "-word" can be a negation. */
Arguments *options_parse(char *const *arguments, const Option *const *tables,
        bool words_end_options, GError **error);
void options_free(Arguments *args);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Arguments, options_free)

/* How many arguments the option at arguments[0] takes with its value if it is in the table; 0: it
 * is not. */
unsigned options_span(char *const *arguments, const Option *table);

bool options_has(const Arguments *args, const char *name);
/* Last value, or NULL. Borrowed. */
const char *options_value(const Arguments *args, const char *name);
/* Last value as a number, checked when it was parsed. */
unsigned options_number(const Arguments *args, const char *name, unsigned preset);
/* Index of the last value among the choices. */
unsigned options_choice(const Arguments *args, const char *name, unsigned preset);
/* All values of a repeatable option. Yours; the strings are borrowed. */
GPtrArray *options_values(const Arguments *args, const char *name);

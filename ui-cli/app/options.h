/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - command line options, defined by tables
 *
 * The help is generated from the same tables, so every option has its help line. Options may be
 * bundled (-lc); values are attached (-n5, --limit=5) or the next argument. Long names cannot be
 * abbreviated. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef enum {
	OPTION_FLAG,
	OPTION_TEXT, /* repeatable */
	OPTION_NUMBER, /* decimal, at most 1e9 */
	OPTION_CHOICE, /* one of the words in argument, which are separated by "|" */
	OPTION_MAYBE, /* --name or --name=NUMBER; the next argument may also be the number, see
	                 options.c */
	OPTION_COMMAND, /* a command with its arguments, see options.c */
} OptionKind;

typedef struct {
	char letter; /* 0 if none */
	const char *name;
	OptionKind kind;
	const char *argument; /* shown in the help; NULL for flags */
	const char *help; /* untranslated */
	/* of OPTION_TEXT: is this word a value of it? NULL: any text is. It decides only whether
	 * "-type" in a query is -t with a value; a wrong value is found later. */
	bool (*fits)(const char *word);
	/* Names that are separated by "|". with: the option has an effect only beside one of these
	 * options, or of these first words of a verb. against: it means nothing beside one of these
	 * options. NULL: none. */
	const char *with, *against;
} Option;

/* Ends a table. */
#define OPTION_END                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

typedef struct {
	const Option *option;
	const char *value; /* NULL for flags; points into the arguments */
} GivenOption;

typedef struct {
	GArray *given; /* GivenOption, in the order given */
	GPtrArray *words; /* const char *, the arguments that are not options; borrowed */
	unsigned before_dashes; /* the number of words before "--"; without it, of all */
	GPtrArray *command; /* char *, of OPTION_COMMAND, NULL-terminated; or NULL */
	const Option *const *tables; /* of the options; the caller's */
	GPtrArray *places; /* char *, made by named_places_resolve() */
	bool without_verb; /* the words are a search because the first of them is not a verb */
} Arguments;

#define OPTIONS_ERROR options_error_quark()
GQuark options_error_quark(void);
typedef enum { OPTIONS_ERROR_USAGE } OptionsError;

/* Parses the arguments after program name and verb. arguments and tables: NULL-terminated, must
 * outlive the result. words_are_query: an argument that begins with a minus sign and is not an
 * option is a word too, because it may be a negation; so is one whose first letter is an option
 * that cannot have the other letters as its value. NULL with error. */
Arguments *options_parse(
        char *const *arguments, const Option *const *tables, bool words_are_query, GError **error);
void options_free(Arguments *args);
/* Do the options that are given have an effect together? */
bool options_fit(const Arguments *args, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Arguments, options_free)

/* The number of arguments that the option at arguments[0] takes, including its value; 0 if it is
 * not in the table. */
unsigned options_span(char *const *arguments, const Option *table);

/* The option with this letter, or NULL. */
const Option *options_by_letter(const Option *const *tables, char letter);
/* Returns the name of the long option that a misspelt one of this length stands for, or NULL. */
const char *options_nearest(const Option *const *tables, const char *name, size_t length);

bool options_has(const Arguments *args, const char *name);
/* The last value of an option, or NULL. Borrowed. */
const char *options_value(const Arguments *args, const char *name);
/* The last value as a number, or preset. The number was checked when it was parsed. */
unsigned options_number(const Arguments *args, const char *name, unsigned preset);
/* The index of the last value among the choices, or preset. */
unsigned options_choice(const Arguments *args, const char *name, unsigned preset);
/* All values of a repeatable option. The caller unrefs the array; the strings are borrowed. */
GPtrArray *options_values(const Arguments *args, const char *name);

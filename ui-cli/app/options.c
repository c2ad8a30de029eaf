/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/options.h"
#include "common/base/i18n.h"
#include "ui-cli/app/nearest-name.h"
#include "ui-cli/app/program-text.h"
#include <string.h>

G_DEFINE_QUARK(options - error - quark, options_error)

enum { OPTION_NUMBER_MAX = 1000000000, MAYBE_DIGITS = 3 };

typedef struct {
	char *const *rest; /* remaining arguments */
	const Option *const *tables;
	bool words_are_query;
	Arguments *args;
} OptionParse;

static const Option *find_long(const Option *const *tables, const char *name, size_t length)
{
	for (; *tables; tables++) {
		for (const Option *o = *tables; o->name; o++) {
			if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
				return o;
		}
	}
	return NULL;
}

const Option *options_by_letter(const Option *const *tables, char letter)
{
	for (; *tables; tables++) {
		for (const Option *o = *tables; o->name; o++) {
			if (o->letter == letter)
				return o;
		}
	}
	return NULL;
}

static bool options_is_number(const char *text)
{
	return g_ascii_string_to_unsigned(text, 10, 0, OPTION_NUMBER_MAX, NULL, NULL);
}

static int choice_index(const char *choices, const char *value)
{
	g_auto(GStrv) words = g_strsplit(choices, "|", -1);
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], value) == 0)
			return i;
	}
	return -1;
}

/* Returns the word of the option's choices that a misspelt value stands for, or NULL. The caller
 * frees it. */
static char *options_nearest_choice(const Option *option, const char *value)
{
	g_auto(GStrv) words = g_strsplit(option->argument, "|", -1);
	int best = nearest_name(
	        value, (const char *const *)words, g_strv_length(words), nearest_name_limit(value));
	return best < 0 ? NULL : g_strdup(words[best]);
}

static bool options_check_value(const Option *option, const char *value, GError **error)
{
	bool number = option->kind == OPTION_NUMBER || option->kind == OPTION_MAYBE;
	if (number && !options_is_number(value)) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--%s needs a number, not \"%s\""), option->name, value);
		return false;
	}
	if (option->kind != OPTION_CHOICE || choice_index(option->argument, value) >= 0)
		return true;
	g_autofree char *nearest = options_nearest_choice(option, value);
	if (nearest)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--%s must be one of %s, not \"%s\" (did you mean %s?)"), option->name,
		        option->argument, value, nearest);
	else
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--%s must be one of %s, not \"%s\""), option->name, option->argument,
		        value);
	return false;
}

static void options_give(OptionParse *p, const Option *option, const char *value)
{
	GivenOption given = {option, value};
	g_array_append_val(p->args->given, given);
}

/* "--open 2 word": a short number is the option's value, but the only word of a query never is. */
static const char *maybe_value(OptionParse *p)
{
	const char *next = *p->rest;
	if (!next || !options_is_number(next) ||
	        (p->words_are_query &&
	                (strlen(next) > MAYBE_DIGITS || (!p->rest[1] && p->args->words->len == 0))))
		return NULL;
	p->rest++;
	return next;
}

static int options_find_word(char *const *words, const char *what)
{
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], what) == 0)
			return i;
	}
	return -1;
}

static int find_braces(char *const *words)
{
	for (int i = 0; words[i]; i++) {
		if (strstr(words[i], "{}"))
			return i;
	}
	return -1;
}

/* Splits one argument that is a whole command line like a shell would, without expanding
 * anything. */
static bool split_command(GPtrArray *command, const char *line, GError **error)
{
	g_auto(GStrv) words = NULL;
	if (!g_shell_parse_argv(line, NULL, &words, error)) {
		g_prefix_error(error, "--exec: ");
		(*error)->domain = OPTIONS_ERROR;
		(*error)->code = OPTIONS_ERROR_USAGE;
		return false;
	}
	for (char **word = words; *word; word++)
		g_ptr_array_add(command, g_strdup(*word));
	return true;
}

static bool check_command(char *const *command, const Option *option, GError **error)
{
	const char *program = program_text_has_braces(command);
	if (program)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--%s: {} stands inside a text that %s runs, so that a file name could "
		          "be a command; pass it as an argument of its own: sh -c 'cat \"$1\"' sh "
		          "{}"),
		        option->name, program);
	return !program;
}

/* The command ends with the argument ";", or else with the first argument that contains "{}". With
 * neither, the command is a single argument and "{}" is added. */
static bool options_take_command(
        OptionParse *p, const Option *option, const char *first, GError **error)
{
	g_autoptr(GPtrArray) command = g_ptr_array_new_with_free_func(g_free);
	int semicolon = first ? -1 : options_find_word(p->rest, ";");
	int braces = first ? -1 : find_braces(p->rest);
	int n = semicolon >= 0 ? semicolon : braces >= 0 ? braces + 1 : !first;

	if ((!first && !*p->rest) || (!first && n == 0)) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, _("--%s needs a command"),
		        option->name);
		return false;
	}
	if (first || n == 1) {
		if (!split_command(command, first ? first : *p->rest, error))
			return false;
	} else {
		for (int i = 0; i < n; i++)
			g_ptr_array_add(command, g_strdup(p->rest[i]));
	}
	p->rest += semicolon >= 0 ? n + 1 : n;
	g_ptr_array_add(command, NULL);
	if (find_braces((char **)command->pdata) < 0) {
		g_ptr_array_insert(command, command->len - 1, g_strdup("{}"));
	}
	if (!check_command((char **)command->pdata, option, error))
		return false;
	g_clear_pointer(&p->args->command, g_ptr_array_unref);
	p->args->command = g_steal_pointer(&command);
	options_give(p, option, NULL);
	return true;
}

/* attached: the text after "=" or after the letter, or NULL. */
static bool take_value(OptionParse *p, const Option *option, const char *attached, GError **error)
{
	const char *value = attached;
	if (option->kind == OPTION_COMMAND)
		return options_take_command(p, option, attached, error);
	if (!value && option->kind == OPTION_MAYBE) {
		options_give(p, option, maybe_value(p));
		return true;
	}
	if (!value) {
		if (!*p->rest) {
			g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			        _("--%s needs a value: %s"), option->name, option->argument);
			return false;
		}
		value = *p->rest++;
	}
	if (!options_check_value(option, value, error))
		return false;
	options_give(p, option, value);
	return true;
}

const char *options_nearest(const Option *const *tables, const char *name, size_t length)
{
	g_autofree char *typed = g_strndup(name, length);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (; *tables; tables++)
		for (const Option *o = *tables; o->name; o++)
			g_ptr_array_add(names, (gpointer)o->name);
	int best = nearest_name(
	        typed, (const char *const *)names->pdata, names->len, nearest_name_limit(typed));
	return best < 0 ? NULL : names->pdata[best];
}

static void fail_unknown(OptionParse *p, const char *name, size_t length, GError **error)
{
	const char *nearest = options_nearest(p->tables, name, length);
	if (nearest)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("unknown option --%.*s (did you mean --%s?)"), (int)length, name,
		        nearest);
	else
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, _("unknown option --%.*s"),
		        (int)length, name);
}

static bool options_fail_value(const Option *flag, GError **error)
{
	g_set_error(
	        error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, _("--%s takes no value"), flag->name);
	return false;
}

static bool take_long(OptionParse *p, const char *argument, GError **error)
{
	const char *equals = strchr(argument, '=');
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
	const Option *option = find_long(p->tables, argument, length);

	if (!option) {
		fail_unknown(p, argument, length, error);
		return false;
	}
	if (option->kind != OPTION_FLAG)
		return take_value(p, option, equals ? equals + 1 : NULL, error);
	if (equals)
		return options_fail_value(option, error);
	options_give(p, option, NULL);
	return true;
}

static bool take_letters(OptionParse *p, const char *letters, GError **error)
{
	for (; *letters; letters++) {
		const Option *option = options_by_letter(p->tables, *letters);
		if (!option) {
			g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			        _("unknown option -%.*s"), (int)strcspn(letters, "="), letters);
			return false;
		}
		if (option->kind != OPTION_FLAG)
			return take_value(p, option, letters[1] ? letters + 1 : NULL, error);
		if (letters[1] == '=')
			return options_fail_value(option, error);
		options_give(p, option, NULL);
	}
	return true;
}

/* The number of lower-case letters at the beginning. */
static size_t options_count_letters(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz");
}

/* "-ext:pdf" is a negated filter, not option -e with the value "xt:pdf". */
static bool looks_like_filter(const char *letters)
{
	size_t n = options_count_letters(letters);
	return n > 1 && letters[n] && strchr(":<>", letters[n]);
}

/* Letters and digits, as a search has them. */
static bool options_is_word(const char *text)
{
	while (g_ascii_isalnum(*text) || (guchar)*text >= 0x80)
		text++;
	return *text == '\0';
}

/* Is the word after the letter of an option a value of it? Any word is where it is free text. */
static bool options_word_fits(const Option *option, const char *word)
{
	if (option->kind != OPTION_COMMAND)
		return !option->fits || option->fits(word);
	g_autofree char *program = g_find_program_in_path(word);
	return program != NULL;
}

/* attached: the text after the letter, or "". */
static bool takes_value(const OptionParse *p, const Option *option, const char *attached)
{
	const char *value = *attached ? attached : *p->rest;
	if (option->kind == OPTION_NUMBER || option->kind == OPTION_CHOICE)
		return value && options_check_value(option, value, NULL);
	return !*attached || !options_is_word(attached) || options_word_fits(option, attached);
}

/* Are all letters those of options, the last one perhaps with a value that fits? */
static bool is_short_option(const OptionParse *p, const char *letters)
{
	for (; *letters; letters++) {
		const Option *option = options_by_letter(p->tables, *letters);
		if (!option || option->kind != OPTION_FLAG)
			return option && takes_value(p, option, letters + 1);
	}
	return true;
}

/* Between words, longer than two letters it is more likely a word: "-far". A letter alone is its
 * option, even if the value after it is wrong or missing. */
static bool is_option_between_words(const OptionParse *p, const char *letters)
{
	if (!letters[1])
		return options_by_letter(p->tables, letters[0]) != NULL;
	return is_short_option(p, letters) && (!letters[2] || g_ascii_isdigit(letters[1]));
}

/* Where the words are a query, "-word" and "-ext:pdf" are negations unless they are options. */
static bool is_of_query(const OptionParse *p, const char *argument)
{
	const char *letters = argument + 1;
	bool first = p->args->words->len == 0;
	if (!p->words_are_query)
		return false;
	if (letters[0] == '-')
		return !first && !find_long(p->tables, letters + 1, strcspn(letters + 1, "="));
	if (looks_like_filter(letters))
		return true;
	if (!first)
		return !is_option_between_words(p, letters);
	if (!letters[1])
		return !options_by_letter(p->tables, letters[0]);
	return !is_short_option(p, letters) && !strchr(letters, '=');
}

Arguments *options_parse(
        char *const *arguments, const Option *const *tables, bool words_are_query, GError **error)
{
	g_autoptr(Arguments) args = g_new0(Arguments, 1);
	OptionParse parse = {arguments, tables, words_are_query, args};
	bool only_words = false;

	args->given = g_array_new(FALSE, FALSE, sizeof(GivenOption));
	args->words = g_ptr_array_new();
	args->places = g_ptr_array_new_with_free_func(g_free);
	args->tables = tables;
	while (*parse.rest) {
		char *argument = *parse.rest++;
		bool word = only_words || argument[0] != '-' || argument[1] == '\0';
		if (!word && strcmp(argument, "--") == 0) {
			only_words = true;
			args->before_dashes = args->words->len;
		} else if (word || is_of_query(&parse, argument)) {
			g_ptr_array_add(args->words, argument);
		} else if (argument[1] == '-' ? !take_long(&parse, argument + 2, error)
		                              : !take_letters(&parse, argument + 1, error)) {
			return NULL;
		}
	}
	if (!only_words)
		args->before_dashes = args->words->len;
	return g_steal_pointer(&args);
}

static const Option *options_find(const Arguments *args, const char *name)
{
	return find_long(args->tables, name, strlen(name));
}

/* Without a word, a verb with several tasks does the one that its options are for. */
static bool options_is_there(const Arguments *args, const char *name)
{
	if (options_find(args, name))
		return options_has(args, name);
	return args->words->len == 0 || strcmp(args->words->pdata[0], name) == 0;
}

/* Returns the first of the names that is there, or NULL. The caller frees it. */
static char *options_first_of(const Arguments *args, const char *names)
{
	g_auto(GStrv) each = g_strsplit(names, "|", -1);
	for (char **name = each; *name; name++)
		if (options_is_there(args, *name))
			return g_strdup(*name);
	return NULL;
}

static bool option_fits(const Arguments *args, const Option *option, GError **error)
{
	g_autofree char *with = option->with ? options_first_of(args, option->with) : NULL;
	g_autofree char *other = option->against ? options_first_of(args, option->against) : NULL;
	if (other)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--%s cannot be combined with --%s"), option->name, other);
	else if (option->with && !with)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--%s has an effect only with %s%s"), option->name,
		        options_find(args, option->with) ? "--" : "", option->with);
	return !other && (with || !option->with);
}

bool options_fit(const Arguments *args, GError **error)
{
	for (guint i = 0; i < args->given->len; i++)
		if (!option_fits(args, g_array_index(args->given, GivenOption, i).option, error))
			return false;
	return true;
}

void options_free(Arguments *args)
{
	if (!args)
		return;
	g_array_unref(args->given);
	g_ptr_array_unref(args->words);
	g_clear_pointer(&args->command, g_ptr_array_unref);
	g_ptr_array_unref(args->places);
	g_free(args);
}

unsigned options_span(char *const *arguments, const Option *table)
{
	const Option *const tables[] = {table, NULL};
	const char *argument = arguments[0];
	const Option *option;
	bool attached;

	if (argument[0] != '-' || argument[1] == '\0')
		return 0;
	if (argument[1] == '-') {
		size_t length = strcspn(argument + 2, "=");
		option = find_long(tables, argument + 2, length);
		attached = argument[2 + length] == '=';
	} else {
		const char *letter = argument + 1;
		while ((option = options_by_letter(tables, *letter)) &&
		        option->kind == OPTION_FLAG && letter[1])
			letter++;
		attached = option && letter[1];
	}
	if (!option)
		return 0;
	return option->kind == OPTION_FLAG || attached || !arguments[1] ? 1 : 2;
}

static const GivenOption *last_given(const Arguments *args, const char *name)
{
	for (guint i = args->given->len; i > 0; i--) {
		const GivenOption *given = &g_array_index(args->given, GivenOption, i - 1);
		if (strcmp(given->option->name, name) == 0)
			return given;
	}
	return NULL;
}

bool options_has(const Arguments *args, const char *name)
{
	return last_given(args, name) != NULL;
}

const char *options_value(const Arguments *args, const char *name)
{
	const GivenOption *given = last_given(args, name);
	return given ? given->value : NULL;
}

unsigned options_number(const Arguments *args, const char *name, unsigned preset)
{
	const char *value = options_value(args, name);
	guint64 number = preset;
	if (value)
		g_ascii_string_to_unsigned(value, 10, 0, OPTION_NUMBER_MAX, &number, NULL);
	return (unsigned)number;
}

unsigned options_choice(const Arguments *args, const char *name, unsigned preset)
{
	const GivenOption *given = last_given(args, name);
	return given ? (unsigned)choice_index(given->option->argument, given->value) : preset;
}

GPtrArray *options_values(const Arguments *args, const char *name)
{
	GPtrArray *values = g_ptr_array_new();
	for (guint i = 0; i < args->given->len; i++) {
		const GivenOption *given = &g_array_index(args->given, GivenOption, i);
		if (strcmp(given->option->name, name) == 0)
			g_ptr_array_add(values, (char *)given->value);
	}
	return values;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/program-text.h"
#include "common/base/paths.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* How a program reads its options. Lists of words are separated by blanks, letters are not. */
typedef struct {
	const char *names; /* of the program, without a version */
	const char *text; /* letters of options whose value is run; of a shell: of flags by which
	                     the first operand is run */
	const char *values; /* letters of other options that have a value: the rest of the word, or
	                       the next word; of a shell: always the next word */
	const char *attached; /* letters of options whose value is the rest of the word, if any */
	const char *last; /* letters of options after whose value no options follow */
	const char *long_values; /* long options whose value may be the next word */
	unsigned operands; /* so many operands may stand in front of options */
	bool shell;
	const char *sources; /* letters of options that give the text, or a file with it; without
	                        them the first operand is run. NULL: operands are not run */
	const char *long_sources; /* the same long options */
	bool joins; /* hands the words after its operands to a shell */
	const char *direct, *long_direct; /* options without which it does */
} Interpreter;

enum { ANY_OPERANDS = 1000 };

static const Interpreter interpreters[] = {
        {"ash bash csh dash ksh mksh rbash sh tcsh yash zsh", "c", "oO", .shell = true,
                .long_values = "--rcfile --init-file"},
        {"awk gawk mawk nawk", "e", "EFWfilv", "DLdop",
                .long_values = "--assign --exec --field-separator --file --include --load",
                .sources = "Eef", .long_sources = "--exec --file --source"},
        {"env", "S", "Cu", .long_values = "--unset --chdir"},
        {"fish", "cC", "dDfop"},
        {"flock", "c", "Ew", .operands = 1, .long_values = "--timeout --wait --conflict-exit-code"},
        {"lua luajit", "e", "jl", "O"},
        {"node nodejs", "ep", "Cr",
                .long_values = "--require --import --loader --conditions --input-type"},
        {"perl", "eE", "I", "0CDFMVdilmx"},
        {"php", "BERr", "FStcdfz"},
        {"python", "c", "QWX", .last = "cm"},
        {"R Rscript", "e", "fg"},
        {"ruby", "e", "CEIr", "0FKTWix"},
        {"runuser su", "c", "Ggsuw", .operands = ANY_OPERANDS,
                .long_values = "--shell --group --supp-group --user --whitelist-environment"},
        {"script", "c", "BEIOTmo", "t", .operands = ANY_OPERANDS},
        {"gsed sed", "e", "fl", "i", .operands = ANY_OPERANDS,
                .long_values = "--file --line-length", .sources = "ef",
                .long_sources = "--expression --file"},
        {"rsh slogin ssh", .values = "BDEFILOPQRSWbceilmopw", .operands = 1, .joins = true},
        {"watch", .values = "nq", .long_values = "--interval --equexit", .joins = true,
                .direct = "x", .long_direct = "--exec"},
};

/* Programs that run their operands. */
static const char wrappers[] =
        "busybox chroot command doas env exec ionice nice nohup setsid stdbuf "
        "sudo taskset time timeout toybox xargs";

static const char long_texts[] =
        "--command --eval --expression --init-command --print --session-command --source "
        "--split-string";

static bool is_in_words(const char *words, const char *word, size_t length)
{
	for (; words && *words; words += strcspn(words, " "), words += *words == ' ')
		if (strcspn(words, " ") == length && strncmp(words, word, length) == 0)
			return true;
	return false;
}

static bool is_letter_of(const char *letters, char letter)
{
	return letters && letter && strchr(letters, letter);
}

static bool has_braces(const char *word)
{
	return strstr(word, "{}") != NULL;
}

/* "/usr/bin/python3.11" is python. */
static const Interpreter *interpreter_of(const char *word)
{
	const char *name = path_base_name(word);
	size_t length = strlen(name);
	while (length > 0 && strchr("0123456789.-", name[length - 1]))
		length--;
	for (size_t i = 0; length > 0 && i < G_N_ELEMENTS(interpreters); i++)
		if (is_in_words(interpreters[i].names, name, length))
			return &interpreters[i];
	return NULL;
}

static bool is_option(const char *word)
{
	return (word[0] == '-' || word[0] == '+') && word[1] != '\0';
}

/* The value of an option is the rest of its word, or the next word, to which *words moves. */
static const char *program_take_value(char *const **words, const char *rest)
{
	if (*rest || !(*words)[1])
		return rest;
	return *++*words;
}

/* Reads a long option. */
static bool long_runs_braces(const Interpreter *interpreter, char *const **words)
{
	const char *option = **words;
	size_t length = strcspn(option, "=");
	bool apart = option[length] == '\0';
	if (is_in_words(long_texts, option, length))
		return has_braces(apart ? program_take_value(words, "") : option);
	if (apart && is_in_words(interpreter->long_values, option, length))
		program_take_value(words, "");
	return false;
}

/* Reads a word of letters. *last_r: no option follows. */
static bool letters_run_braces(const Interpreter *interpreter, char *const **words, bool *last_r)
{
	for (const char *letter = **words + 1; *letter; letter++) {
		const char *rest = letter + 1;
		*last_r = is_letter_of(interpreter->last, *letter);
		if (is_letter_of(interpreter->text, *letter)) {
			/* "node -pe TEXT" */
			bool letters = strspn(rest, interpreter->text) == strlen(rest);
			return has_braces(program_take_value(words, letters ? "" : rest));
		}
		if (is_letter_of(interpreter->values, *letter))
			program_take_value(words, rest);
		if (is_letter_of(interpreter->values, *letter) ||
		        is_letter_of(interpreter->attached, *letter))
			return false;
	}
	return false;
}

/* Does this word of options give the text that would else be the first operand? */
static bool gives_source(const Interpreter *interpreter, const char *option)
{
	if (g_str_has_prefix(option, "--"))
		return is_in_words(interpreter->long_sources, option, strcspn(option, "="));
	for (const char *letter = option + 1; *letter; letter++) {
		if (is_letter_of(interpreter->sources, *letter))
			return true;
		if (is_letter_of(interpreter->values, *letter) ||
		        is_letter_of(interpreter->attached, *letter))
			return false;
	}
	return false;
}

/* words: the arguments of the interpreter. */
static bool options_run_braces(const Interpreter *interpreter, char *const *words)
{
	const char *first_operand = NULL;
	unsigned operands = 0;
	bool last = false, source = !interpreter->sources;
	for (; *words && !last && strcmp(*words, "--") != 0; words++) {
		if (!is_option(*words)) {
			first_operand = first_operand ? first_operand : *words;
			if (operands++ >= interpreter->operands)
				break;
			continue;
		}
		source = source || gives_source(interpreter, *words);
		if (g_str_has_prefix(*words, "--") ? long_runs_braces(interpreter, &words)
		                                   : letters_run_braces(interpreter, &words, &last))
			return true;
	}
	if (!first_operand && *words && strcmp(*words, "--") == 0)
		first_operand = words[1];
	return !source && first_operand && has_braces(first_operand);
}

/* "bash -ec -o pipefail TEXT": the text stands after all options. */
static bool shell_runs_braces(const Interpreter *shell, char *const *words)
{
	bool text = false;
	for (; *words && is_option(*words) && strcmp(*words, "--") != 0; words++) {
		const char *option = *words;
		if (g_str_has_prefix(option, "--")) {
			long_runs_braces(shell, &words);
			continue;
		}
		text = text || strpbrk(option, shell->text);
		if (text && has_braces(option))
			return true;
		for (const char *letter = option + 1; *letter; letter++)
			words += is_letter_of(shell->values, *letter) && words[1];
	}
	words += *words && strcmp(*words, "--") == 0;
	return text && *words && has_braces(*words);
}

static bool is_direct(const Interpreter *program, const char *option)
{
	return g_str_has_prefix(option, "--")
	               ? is_in_words(program->long_direct, option, strlen(option))
	               : program->direct && strpbrk(option, program->direct);
}

/* "ssh -p 22 host cat {}": the shell at the other end reads the name as a part of its text. */
static bool joined_words_have_braces(const Interpreter *program, char *const *words)
{
	unsigned operands = 0;
	for (; *words && (operands < program->operands || is_option(*words)); words++) {
		bool last = false;
		if (!is_option(*words)) {
			operands++;
			continue;
		}
		if (is_direct(program, *words))
			return false;
		if (strcmp(*words, "--") == 0)
			continue;
		if (g_str_has_prefix(*words, "--"))
			long_runs_braces(program, &words);
		else
			letters_run_braces(program, &words, &last);
	}
	for (; *words; words++)
		if (has_braces(*words))
			return true;
	return false;
}

static bool interpreter_runs_braces(const Interpreter *interpreter, char *const *words)
{
	if (interpreter->joins)
		return joined_words_have_braces(interpreter, words);
	return interpreter->shell ? shell_runs_braces(interpreter, words)
	                          : options_run_braces(interpreter, words);
}

/* May the word n be the program that is started, perhaps by others? In "grep awk {}" awk is not.
 * The word after an option of another program may be its value. */
static bool may_be_started(char *const *command, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const char *name = path_base_name(command[i]);
		if (!is_option(name) && !strchr(name, '=') && !g_ascii_isdigit(*name) &&
		        !is_in_words(wrappers, name, strlen(name)) &&
		        (i == 0 || !is_option(command[i - 1])))
			return false;
	}
	return true;
}

const char *program_text_has_braces(char *const *command)
{
	for (unsigned i = 0; command[i]; i++) {
		const Interpreter *interpreter = interpreter_of(command[i]);
		bool operands = interpreter && (interpreter->sources || interpreter->joins);
		if (!interpreter || (operands && !may_be_started(command, i)))
			continue;
		if (interpreter_runs_braces(interpreter, command + i + 1))
			return command[i];
	}
	return NULL;
}

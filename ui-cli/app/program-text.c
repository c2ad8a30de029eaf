/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/program-text.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
	const char *name; /* without a version */
	const char *letters; /* of the options that a text follows */
	bool operands; /* these options may stand behind operands */
} Interpreter;

static const Interpreter interpreters[] = {
        {"ash", "c"},
        {"bash", "c"},
        {"csh", "c"},
        {"dash", "c"},
        {"fish", "cC"},
        {"ksh", "c"},
        {"lua", "e"},
        {"mksh", "c"},
        {"node", "ep"},
        {"perl", "eE"},
        {"php", "rBRE"},
        {"python", "c"},
        {"rbash", "c"},
        {"ruby", "e"},
        {"runuser", "c", true},
        {"script", "c", true},
        {"sh", "c"},
        {"su", "c", true},
        {"tcsh", "c"},
        {"yash", "c"},
        {"zsh", "c"},
};

static const char *const long_options[] = {
        "--command", "--eval", "--init-command", "--print", "--session-command", NULL};

static const Interpreter *interpreter_of(const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash ? slash + 1 : word;
	for (size_t i = 0; i < G_N_ELEMENTS(interpreters); i++) {
		size_t length = strlen(interpreters[i].name);
		if (strncmp(name, interpreters[i].name, length) == 0 &&
		        name[length + strspn(name + length, "0123456789.-")] == '\0')
			return &interpreters[i];
	}
	return NULL;
}

static bool is_option(const char *word)
{
	return (word[0] == '-' || word[0] == '+') && word[1] != '\0';
}

/* Does a text follow the option, or is it a part of its word? */
static bool takes_text(const Interpreter *interpreter, const char *option)
{
	if (!g_str_has_prefix(option, "--"))
		return strpbrk(option + 1, interpreter->letters) != NULL;
	g_autofree char *name = g_strndup(option, strcspn(option, "="));
	return g_strv_contains(long_options, name);
}

/* "-o pipefail": the next word is a value. */
static bool takes_value(const char *option)
{
	char last = option[strlen(option) - 1];
	return option[1] != '-' && (last == 'o' || last == 'O');
}

/* words: the arguments of the interpreter. */
static bool runs_braces(const Interpreter *interpreter, char *const *words)
{
	bool text = false;
	for (; *words; words++) {
		bool braces = strstr(*words, "{}") != NULL;
		if (is_option(*words)) {
			bool takes = takes_text(interpreter, *words);
			if (takes && braces)
				return true;
			text = text || (takes && !strchr(*words, '='));
			words += takes_value(*words) && words[1];
		} else if (text || !interpreter->operands) {
			return text && braces;
		}
	}
	return false;
}

const char *program_text_has_braces(char *const *command)
{
	for (; *command; command++) {
		const Interpreter *interpreter = interpreter_of(*command);
		if (interpreter && runs_braces(interpreter, command + 1))
			return *command;
	}
	return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-program.c - tells a line of a program (a command, code, a log) from a query
 *
 * "git log -n 5" excludes nothing, and "a && !(b || c);" groups nothing: minus signs, operators and
 * stars of such a line are its text. One sign of a program is enough, if nobody writes it in a
 * query: an option of one letter, "--word", "$(", "=>", a backtick, the number of an error. Text
 * in a phrase is not a sign of one. */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

/* A run of bytes without white space. */
typedef struct {
	const char *text;
	size_t length;
} ProgramToken;

static bool program_has(const ProgramToken *token, const char *part)
{
	return memmem(token->text, token->length, part, strlen(part)) != NULL;
}

/* "-n". */
static bool is_letter_option(const ProgramToken *token)
{
	return token->length == 2 && token->text[0] == '-' && g_ascii_isalnum(token->text[1]);
}

/* "-rf": options of one letter in one word. Alone it may be an exclusion. */
static bool is_bundle(const ProgramToken *token)
{
	size_t letters = 1;
	while (letters < token->length && g_ascii_isalpha(token->text[letters]))
		letters++;
	return token->text[0] == '-' && letters == token->length && letters > 2 && letters < 5;
}

/* A pipe, or a path: what a command with such options works on. "TCP/IP" is no path. */
static bool is_of_shell(const ProgramToken *token)
{
	if (token->length == 1)
		return strchr("|.", token->text[0]) != NULL;
	return token->text[0] == '/' || strncmp(token->text, "./", 2) == 0 ||
	       strncmp(token->text, "~/", 2) == 0 ||
	       (token->text[token->length - 1] == '/' && !program_has(token, "://"));
}

/* A command that is no word of a language: who pastes "ls -la" excludes nothing. */
static bool is_command(const ProgramToken *token)
{
	static const char *const commands[] = {"chmod", "chown", "cp", "df", "dpkg", "egrep",
	        "fgrep", "gcc", "grep", "ls", "mkdir", "mv", "ps", "rm", "rsync", "scp", "ssh",
	        "sudo", "xargs", "zgrep"};
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		if (token->length == strlen(commands[i]) &&
		        memcmp(token->text, commands[i], token->length) == 0)
			return true;
	return false;
}

/* "--name". */
static bool is_long_option(const ProgramToken *token)
{
	const char *s = token->text;
	size_t name;
	if (token->length < 2 || s[0] != '-' || s[1] != '-')
		return false;
	for (name = 2; name < token->length && (g_ascii_isalnum(s[name]) || s[name] == '-'); name++)
		;
	return name > 3 && g_ascii_isalpha(s[2]) && (name == token->length || s[name] == '=');
}

/* Two signs or more that are neither a word, a dash, an ellipsis nor a face: "&&", "=>", "{}". */
static bool is_program_operator(const ProgramToken *token)
{
	size_t signs = 0;
	for (size_t i = 0; i < token->length; i++) {
		char c = token->text[i];
		if ((c & 0x80) || g_ascii_isalnum(c) || c == '"' || c == '(' || c == ')')
			return false;
		signs += !strchr("-.!?*|:;,", c);
	}
	return signs > 0 && token->length > 1 && !strchr(":;", token->text[0]);
}

/* "$PWD", "$(", "${" and "\"$x": a price and a name such as Ke$ha are none. */
static bool has_variable(const ProgramToken *token)
{
	for (size_t i = 0; i + 1 < token->length; i++) {
		char before = i > 0 ? token->text[i - 1] : ' ', next = token->text[i + 1];
		if (token->text[i] == '$' && !g_ascii_isalnum(before) && !(before & 0x80) &&
		        (g_ascii_isalpha(next) || (next && strchr("({_@#?*", next))))
			return true;
	}
	return false;
}

/* "ext:pdf": whoever writes a condition writes a query. */
static bool is_condition(const ProgramToken *token)
{
	QueryOperator op;
	const char *colon = memchr(token->text, ':', token->length);
	return colon && colon + 1 < token->text + token->length &&
	       query_field_written(token->text, colon - token->text, &op);
}

/* The closing bracket of another word: "[10/Oct/2000 -0700]". */
static bool closes_other(const ProgramToken *token)
{
	const char *close = memchr(token->text, ']', token->length);
	return close && token->text[0] == '-' && !memchr(token->text, '[', close - token->text);
}

/* "error -71", "returned: -22": the number of an error as the kernel writes it. */
static bool is_error_number(const ProgramToken *before, const ProgramToken *token)
{
	static const char *const words[] = {"error", "err", "errno", "code", "status", "result",
	        "ret", "rc", "returned", "returns", "return", "failed", "fehler"};
	enum { MOST_DIGITS = 3 };
	size_t digits = 1, length = before->length;
	while (digits < token->length && g_ascii_isdigit(token->text[digits]))
		digits++;
	while (length > 0 && strchr(":=,", before->text[length - 1]))
		length--;
	if (token->text[0] != '-' || digits < 2 || digits > MOST_DIGITS + 1 ||
	        (digits < token->length && !strchr(",.;:)", token->text[digits])))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (length == strlen(words[i]) &&
		        g_ascii_strncasecmp(before->text, words[i], length) == 0)
			return true;
	return false;
}

/* "return -EINVAL;": nobody ends an exclusion so. */
static bool is_negative_in_code(const ProgramToken *token)
{
	return token->length > 2 && token->text[0] == '-' && token->text[1] != '-' &&
	       token->text[token->length - 1] == ';';
}

static bool is_of_program(const ProgramToken *token)
{
	if (token->length == 1)
		return strchr("{}$\\", token->text[0]) != NULL;
	return is_long_option(token) || is_program_operator(token) || has_variable(token) ||
	       is_negative_in_code(token) || closes_other(token) || program_has(token, "`") ||
	       program_has(token, "2>") || program_has(token, ">&") || program_has(token, "@{") ||
	       program_has(token, "<<");
}

/* "/usr/bin/ld: cannot find -lfoo", "main.c:12: error": the source of a message. A quote there
 * begins a phrase. */
static bool is_source_of_message(const ProgramToken *first, size_t length)
{
	return first->length > 2 && first->length < length &&
	       first->text[first->length - 1] == ':' && !program_has(first, "\"") &&
	       strcspn(first->text, "/.-[") < first->length - 1;
}

/* "(?i)", "(?i-s:": few pasted groups of flags have three of them and nothing behind. */
static bool is_group_of_flags(const char *s)
{
	size_t n = strspn(s, "imsxnauUJL-");
	return s[n] == ':' || (s[n] == ')' && (n <= 2 || !strchr(" \t\n)", s[n + 1])));
}

/* "(?=", "(?P<name>": a group of a regular expression. "(?ingo OR cat)" has a pattern in brackets.
 */
static bool has_regex_group(const char *text)
{
	for (const char *s = text; (s = strstr(s, "(?"));) {
		s += strlen("(?");
		if (*s && (strchr(":=!<>|#'&+^,)", *s) || is_group_of_flags(s)))
			return true;
		if (*s == 'P' && s[1] && strchr("<=>", s[1]))
			return true;
	}
	return false;
}

bool query_is_program(const QueryParse *p)
{
	g_autofree char *text = query_outside_phrases(p);
	QueryParse outside = *p;
	ProgramToken first = {NULL, 0}, before = {"", 0};
	size_t words = 0, stars = 0;
	bool found = false, option = false, long_word = false, condition = false;
	bool bundle = false, shell = false, error_number = false;
	outside.text = text;
	for (size_t at = 0, space; at < p->length; at += MAX(space, 1)) {
		ProgramToken token = {text + at, 0};
		while (at < p->length && query_space(&outside, at) == 0)
			at++;
		token.length = text + at - token.text;
		space = query_space(&outside, at);
		if (token.length == 0)
			continue;
		if (words++ == 0)
			first = token;
		found |= is_of_program(&token);
		option |= is_letter_option(&token);
		bundle |= is_bundle(&token);
		shell |= words == 2 && is_bundle(&token) && is_command(&first);
		shell |= is_of_shell(&token);
		condition |= is_condition(&token);
		long_word |= token.length > 2 && g_ascii_islower(token.text[1]);
		stars += token.length == 1 && *token.text == '*';
		error_number |= is_error_number(&before, &token);
		before = token;
	}
	if (has_regex_group(text) || (!condition && query_is_known_command(text)))
		return true;
	found |= stars > 1; /* a line of cron */
	found |= option && long_word && !condition; /* "a -b" excludes b */
	found |= bundle && shell && !condition;
	found |= error_number && words > 2 && !condition;
	size_t last = p->length;
	while (last > 0 && g_ascii_isspace(text[last - 1]))
		last--;
	found |= last > 1 && text[last - 1] == ';' && memchr(text, '(', last);
	return words > 1 && (found || (words > 2 && is_source_of_message(&first, p->length)));
}

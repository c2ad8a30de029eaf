/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the terminal client: finds the verb, parses its options, runs it */
#include <config.h>
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/named-places.h"
#include "ui-cli/app/shell-text.h"
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/verbs.h"
#include "common/base/i18n.h"
#include "common/base/log.h"
#include "index/read/reader-memory.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
	const Verb *verb;
	bool named; /* the verb was given, not just words to search for */
} Command;

/* Removes the verb from the arguments. It is the first word, if only options of every verb precede
 * it. Otherwise all words are a search. */
static Command take_verb(char **arguments)
{
	char **word = arguments;
	unsigned span;

	while (*word && (span = options_span(word, common_options)) > 0)
		word += span;
	const Verb *verb = *word ? verb_find(*word) : NULL;
	if (!verb)
		return (Command){verb_find("search"), false};
	memmove(word, word + 1, (g_strv_length(word + 1) + 1) * sizeof(char *));
	return (Command){verb, true};
}

/* --help and --version take precedence over the verb. */
static bool show_only(const Command *command, const Arguments *args)
{
	if (options_has(args, "help")) {
		if (command->named)
			help_verb(stdout, command->verb);
		else
			help_all(stdout);
		return true;
	}
	if (options_has(args, "version")) {
		printf("tarsier %s\n", PACKAGE_VERSION);
		return true;
	}
	return false;
}

/* An empty path would be the current directory: most often a variable has no value. */
static bool has_empty_place(const Verb *verb, const Arguments *args)
{
	for (guint i = 0; (verb->flags & VERB_NAMES_PLACES) && i < args->words->len; i++)
		if (*(const char *)args->words->pdata[i] == '\0')
			return true;
	return false;
}

static bool check_words(const Verb *verb, const Arguments *args)
{
	unsigned n = args->words->len;

	if (has_empty_place(verb, args)) {
		cli_say(_("an argument of %s is empty; see \"tarsier help %s\""), verb->name,
		        verb->name);
		return false;
	}
	if (n > verb->max_words)
		cli_say(_("\"%s\" is one argument too many; see \"tarsier help %s\""),
		        (const char *)args->words->pdata[verb->max_words], verb->name);
	else if (n < verb->min_words)
		cli_say(_("%s needs %s; see \"tarsier help %s\""), verb->name, _(verb->arguments),
		        verb->name);
	return n >= verb->min_words && n <= verb->max_words;
}

/* May the file of --config be absent? "config set", "config path", "saved add" and "add" create or
 * name it. */
static bool may_lack_config(const Verb *verb, const Cli *cli)
{
	static const char *const subverbs[] = {"set", "path", "add", NULL};
	const char *word = cli_word(cli, 0);
	if (!(verb->flags & VERB_MAKES_CONFIG))
		return false;
	return verb->run == cmd_add || (word && g_strv_contains(subverbs, word));
}

/* Says so if the file of --config cannot be read: a misspelt name would silently mean the presets.
 */
static bool check_config_file(const Verb *verb, const Cli *cli)
{
	if (!options_has(cli->args, "config") || access(cli->config_file, R_OK) == 0)
		return true;
	if (errno == ENOENT && may_lack_config(verb, cli))
		return true;
	cli_say("--config: %s: %s", cli->config_file, g_strerror(errno));
	return false;
}

static int run_verb(const Verb *verb, Arguments *args)
{
	g_autoptr(Cli) cli = cli_new(args);
	g_autoptr(GError) error = NULL;

	log_init("tarsier", cli->verbose);
	if (cli->json && (verb->flags & VERB_NO_JSON)) {
		cli_say(_("%s prints no JSON; \"tarsier help output\" tells what does"),
		        verb->name);
		return EXIT_USAGE;
	}
	if (!check_config_file(verb, cli))
		return EXIT_USAGE;
	if (verb->flags & VERB_MAY_ASK_DAEMON)
		cli_daemon(cli, NULL);
	if ((verb->flags & VERB_STARTS_PROGRAMS) && !cli_start_starter(cli, &error))
		return cli_fail(error);
	if (verb->flags & VERB_CONFINED)
		confine_client(cli, verb->flags & VERB_ANY_FILE);
	if ((verb->flags & VERB_NEEDS_INDEX) && !cli_reader(cli, &error))
		return cli_fail(error);
	if ((verb->flags & VERB_NEEDS_DAEMON) && cli_daemon(cli, &error) < 0)
		return cli_fail(error);
	return verb->run(cli);
}

static Arguments *parse_arguments(char **arguments, const Verb *verb, GError **error)
{
	static const Option *tables[] = {common_options, NULL, NULL};
	tables[1] = verb->options;
	return options_parse(arguments, tables, verb->flags & VERB_QUERY, error);
}

/* "TCP/IP" is a path only if there is such a file. */
static bool names_file(const char *word)
{
	struct stat st;
	return *word == '/' || g_str_has_prefix(word, "./") || g_str_has_prefix(word, "../") ||
	       strstr(word, "://") || lstat(word, &st) == 0;
}

/* "open source licence" is not a command of the verb "open": more words follow than it takes, and
 * the first of them names no file. */
static bool is_search(const Command *command, const Arguments *args)
{
	const Verb *verb = command->verb;
	return command->named && args->words->len > verb->max_words &&
	       !(verb->flags & VERB_HAS_SUBVERBS) &&
	       !(verb->max_words > 0 && names_file(args->words->pdata[0]));
}

/* "open source licence -n 3": with the options of a search, are there too many words for the verb?
 * A misspelt option of the verb is none of a search. */
static bool has_search_options(char **arguments, const Command *command)
{
	Arguments *args = parse_arguments(arguments, verb_find("search"), NULL);
	bool all = args && is_search(command, args);
	for (guint i = 0; all && i < args->words->len; i++)
		all = ((const char *)args->words->pdata[i])[0] != '-';
	options_free(args);
	return all;
}

/* Parses all words as a search. The verb comes back as the first of them. */
static Arguments *parse_as_search(char **arguments, Command *command, GError **error)
{
	const Verb *verb = command->verb;
	*command = (Command){verb_find("search"), false};
	Arguments *args = parse_arguments(arguments, command->verb, error);
	if (!args)
		return NULL;
	g_ptr_array_insert(args->words, 0, (gpointer)verb->name);
	args->before_dashes++;
	if (!options_has(args, "quiet"))
		cli_say(_("%s takes fewer words, so all of them are searched; see \"tarsier help "
		          "%s\""),
		        verb->name, verb->name);
	return args;
}

/* Is the word no path, number or option? Then it may be one to search for. */
static bool may_be_searched(const char *word)
{
	return g_utf8_validate(word, -1, NULL) && g_unichar_isalpha(g_utf8_get_char(word)) &&
	       !strpbrk(word, "/|");
}

/* "config get": the word is what the verb does, as its arguments tell: "[get KEY|list]". */
static bool is_subverb(const Verb *verb, const char *word)
{
	g_auto(GStrv) forms = g_strsplit_set(verb->arguments, "[]|", -1);
	for (char **form = forms; *form; form++) {
		(*form)[strcspn(*form, " ")] = '\0';
		if (**form && strcmp(*form, word) == 0)
			return true;
	}
	return false;
}

/* Can the words after the verb be nothing but its arguments? */
static bool are_arguments(const Command *command, char **arguments)
{
	const Verb *verb = command->verb;
	bool files = true;
	for (char **word = arguments; *word && files; word++)
		files = names_file(*word);
	return files || verb->max_words == 0 || verb->run == cmd_search || verb->run == cmd_tui ||
	       verb->run == cmd_retry || is_subverb(verb, *arguments);
}

/* Returns the command that searches for the verb and the words after it, if they may be a text:
 * "add milk and eggs". NULL: there is none. The caller frees it. */
static char *search_instead(const Command *command, char **arguments)
{
	g_autoptr(GString) line = g_string_new("tarsier search -- ");
	if (!command->named || !*arguments || are_arguments(command, arguments))
		return NULL;
	g_string_append(line, command->verb->name);
	for (char **word = arguments; *word; word++) {
		if (!may_be_searched(*word))
			return NULL;
		g_autofree char *typed = shell_word(*word);
		g_string_append_printf(line, " %s", typed);
	}
	return g_string_free(g_steal_pointer(&line), FALSE);
}

/* Behind what the verb has printed. */
static void say_instead(const char *instead, bool quiet)
{
	fflush(stdout);
	if (instead && !quiet)
		cli_say(_("to search for these words, write: %s"), instead);
}

/* Did the verb fail because of its words? */
static bool has_refused_words(const Verb *verb, int code)
{
	return code == EXIT_USAGE || code == EXIT_NOTHING ||
	       (code == EXIT_ABSENT && (verb->flags & VERB_NEEDS_DAEMON));
}

static int client_main_run(char **arguments)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Arguments) args = NULL;
	g_autofree char *instead = NULL;
	Command command;

	if (!*arguments) {
		help_all(stderr);
		return EXIT_USAGE;
	}
	command = take_verb(arguments);
	instead = search_instead(&command, arguments);
	args = parse_arguments(arguments, command.verb, &error);
	if (args && is_search(&command, args)) {
		options_free(args);
		args = parse_as_search(arguments, &command, &error);
	} else if (!args && command.named && has_search_options(arguments, &command)) {
		args = parse_as_search(arguments, &command, NULL);
	}
	if (!args) {
		cli_say(_("%s; \"tarsier help %s\" lists the options"), error->message,
		        command.verb->name);
		if (command.verb->flags & VERB_QUERY)
			cli_say(_("to search for words that look like options, write \"--\" before "
			          "them"));
		say_instead(instead, false);
		return EXIT_USAGE;
	}
	args->without_verb = !command.named;
	const bool quiet = options_has(args, "quiet");
	if (show_only(&command, args))
		return EXIT_OK;
	if (!options_fit(args, &error) ||
	        !named_places_resolve(args, command.verb->flags & VERB_NAMES_PLACES, &error)) {
		cli_say("%s", error->message);
		return EXIT_USAGE;
	}
	if (!check_words(command.verb, args)) {
		say_instead(instead, quiet);
		return EXIT_USAGE;
	}
	int code = run_verb(command.verb, g_steal_pointer(&args));
	if (has_refused_words(command.verb, code))
		say_instead(instead, quiet);
	return code;
}

/* Has the reader of a pipe gone away, as head does when it has enough? */
static bool output_is_unread(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* If the output could not be written, the exit code must not report success. */
static int client_main_finish(int code)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	if (errno == EPIPE || output_is_unread())
		return EXIT_PARTIAL;
	if (errno != 0)
		cli_say(_("cannot write the output: %s"), g_strerror(errno));
	else /* an earlier write failed, and its errno is lost */
		cli_say(_("not all of the output could be written"));
	return EXIT_PARTIAL;
}

/* Nothing needs to be undone: work elsewhere ends when its socket closes. */
static void on_interrupt(int number)
{
	_exit(EXIT_INTERRUPTED);
}

static const char *no_room; /* the message to print then */

/* SQLite maps the index of the write-ahead log. If the disk is full or a quota is exhausted, a
 * write to it raises SIGBUS. The daemon may free space, so the write is retried for 5 s before the
 * message is printed. If SIGTERM is handled, the terminal is in another mode: the handler restores
 * it. */
static void client_main_on_bus(int number, siginfo_t *info, void *context)
{
	static int waited;
	const struct timespec while_waiting = {.tv_nsec = 200 * 1000 * 1000};
	struct sigaction ending;
	int error = errno;
	if (info->si_code != BUS_ADRERR) {
		signal(SIGBUS, SIG_DFL);
		raise(SIGBUS);
		return;
	}
	if (++waited <= 25) {
		nanosleep(&while_waiting, NULL);
		errno = error;
		return;
	}
	bool said = write(STDERR_FILENO, no_room, strlen(no_room)) > 0;
	if (sigaction(SIGTERM, NULL, &ending) == 0 && ending.sa_handler != SIG_DFL)
		raise(SIGTERM);
	_exit(said ? EXIT_BUSY : EXIT_PARTIAL);
}

static void watch_room(void)
{
	no_room = _("tarsier: the disk of the index is full, or a quota is exhausted; see "
	            "\"tarsier status\"\n");
	sigaction(SIGBUS,
	        &(struct sigaction){.sa_sigaction = client_main_on_bus, .sa_flags = SA_SIGINFO},
	        NULL);
}

/* A core dump could contain queries and results, so there must be none. Programs that we start are
 * not affected. */
static void client_main_hide_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* the leak check needs ptrace access */
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

int main(int argc, char **argv)
{
	client_main_hide_memory();
	signal(SIGINT, on_interrupt);
	i18n_init();
	reader_use_arena();
	watch_room();
	return client_main_finish(client_main_run(argv + 1));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - one run of the client: what every verb needs, opened only when asked for */
#pragma once
#include "common/settings/settings.h"
#include "index/read/reader.h"
#include "ui-cli/app/options.h"
#include "ui-cli/print/screen.h"

/* The contract of docs/OUTPUT.md. */
typedef enum {
	EXIT_OK = 0,
	EXIT_NOTHING = 1, /* nothing found */
	EXIT_USAGE = 2, /* usage, query or configuration error */
	EXIT_ABSENT = 3, /* no index yet, or a daemon is needed and absent */
	EXIT_DAMAGED = 4, /* index damaged or of a newer version */
	EXIT_PARTIAL = 5,
	EXIT_BUSY = 75,
	EXIT_INTERRUPTED = 130,
} ExitCode;

typedef struct {
	Arguments *args;
	char *config_file, *index_dir, *cache_dir, *socket_path;
	bool json, null, quiet, verbose;
	Screen out;
	Reader *reader; /* cli_reader() */
	Settings *settings; /* cli_settings() */
	int daemon_fd; /* cli_daemon(); -1: not connected */
} Cli;

/* Takes the arguments over; NULL is fine. */
Cli *cli_new(Arguments *args);
void cli_free(Cli *cli);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Cli, cli_free)

/* Each opens at the first call; borrowed, NULL with error. */
Reader *cli_reader(Cli *cli, GError **error);
const Settings *cli_settings(Cli *cli, GError **error);
/* Descriptor for control_call(), or -1. */
int cli_daemon(Cli *cli, GError **error);

/* "tarsier: what" on stderr, everything escaped. */
void cli_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* A note of the answer on stderr, without the program's name; nothing with -q. */
void cli_note(const Cli *cli, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Says the error with what to do about it; returns the exit code that belongs to it. */
int cli_fail(const Cli *cli, const GError *error);

/* Words that are no options. */
unsigned cli_n_words(const Cli *cli);
const char *cli_word(const Cli *cli, unsigned i);
/* Absolute form of a path argument, "." and ".." folded. Yours. */
char *cli_absolute(const char *path);
/* aay of absolute paths for the daemon: the words from the first on. Floating. */
GVariant *cli_path_list(const Cli *cli);

/* Tells a running daemon that the configuration changed; none is fine. False: it refused. */
bool cli_reload_daemon(Cli *cli, GError **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the state of one run of the client: what every verb needs, opened on demand */
#pragma once
#include "common/settings/settings.h"
#include "index/read/reader.h"
#include "index/read/visible.h"
#include "ui-cli/app/options.h"
#include "ui-cli/app/starter.h"
#include "ui-cli/print/screen.h"

/* Exit codes, fixed by docs/OUTPUT.md. */
typedef enum {
	EXIT_OK = 0,
	EXIT_NOTHING = 1, /* nothing found */
	EXIT_USAGE = 2, /* usage, query or configuration error */
	EXIT_ABSENT = 3, /* no index yet, or the verb needs a daemon and none is running */
	EXIT_DAMAGED = 4, /* the index is damaged or of a newer version */
	EXIT_PARTIAL = 5,
	EXIT_BUSY = 75,
	EXIT_INTERRUPTED = 130,
} ExitCode;

typedef struct {
	Arguments *args;
	char *config_file, *index_dir, *cache_dir, *socket_path;
	bool json, null, quiet, verbose;
	Screen out;
	int64_t started_us; /* monotonic time when the process started */
	Reader *reader; /* opened by cli_reader() */
	uint64_t index_file; /* inode number of the index that cli_fresh_reader() opened */
	GPtrArray *roots; /* char *; read by cli_roots() */
	Visible *visible; /* made by cli_visible() */
	Settings *settings; /* loaded by cli_settings() */
	int daemon_fd; /* connected by cli_daemon(); -1: not connected */
	bool confined; /* by confine_client() */
	int index_dir_fd; /* the directory of the index that it let in; -1: there was none */
	Starter *starter; /* made by cli_start_starter() */
} Cli;

/* Takes ownership of the arguments. */
Cli *cli_new(Arguments *args);
void cli_free(Cli *cli);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Cli, cli_free)

/* Each opens its part at the first call. Borrowed; NULL with error. */
Reader *cli_reader(Cli *cli, GError **error);
const Settings *cli_settings(Cli *cli, GError **error);
/* Does the configuration leave latent semantics out of the order of hits? */
bool cli_leaves_out_meaning(Cli *cli);
/* The paths of the roots that the index has. */
const GPtrArray *cli_roots(Cli *cli, GError **error);
/* The entries that this user may see. */
Visible *cli_visible(Cli *cli, GError **error);
/* Forgets what the two above returned: roots come and go while tui runs. */
void cli_forget(Cli *cli);
/* For programs that go on running: as cli_reader(), but opens the index anew if it was replaced,
 * and forgets what may have changed since the last call. */
Reader *cli_fresh_reader(Cli *cli, GError **error);
/* Returns the descriptor for control_call(), or -1 with error. */
int cli_daemon(Cli *cli, GError **error);

/* Makes the process that starts programs of the user, before confine_client(). */
bool cli_start_starter(Cli *cli, GError **error);

/* The time in ms since the process started. */
double cli_ms(const Cli *cli);

/* Prints "tarsier: MESSAGE" on stderr; everything is escaped. */
void cli_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Prints a note about the answer on stderr, without the program's name; nothing with -q. */
void cli_note(const Cli *cli, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The error of the index, with what to do about it. The caller frees it. */
char *cli_error_text(const GError *error);
/* The exit code of an error of the index. */
int cli_index_code(const GError *error);
/* Prints the error and what to do about it. Returns the exit code that belongs to it. */
int cli_fail(const GError *error);
/* The same for an error about the file that an argument names: one that is missing or cannot be
 * read has no text to show, which is EXIT_NOTHING. */
int cli_fail_file(const GError *error);

/* The number of arguments that are not options. */
unsigned cli_n_words(const Cli *cli);
const char *cli_word(const Cli *cli, unsigned i);
/* Makes a path argument absolute and removes "." and "..". The caller frees it. */
char *cli_absolute(const char *path);

/* Tells a running daemon that the configuration changed. True if none is running; false with error
 * if the daemon rejected it. */
bool cli_reload_daemon(Cli *cli, GError **error);

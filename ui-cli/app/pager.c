/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/pager.h"
#include "ui-cli/print/terminal-charset.h"
#include "ui-cli/app/cli.h"
#include "common/base/i18n.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct Pager {
	int to_pager; /* write end of its input; -1: closed */
	pid_t process;
};

/* ---- the process that becomes the pager */

/* Copies the input to the output, for a pager that cannot be started. */
static void pager_copy(void)
{
	char buffer[65536];
	ssize_t length;
	while ((length = read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
		for (ssize_t done = 0, n; done < length; done += n) {
			n = write(STDOUT_FILENO, buffer + done, length - done);
			if (n <= 0)
				return;
		}
}

/* Returns once there is a text. */
static void pager_await_text(int input)
{
	struct pollfd wait = {.fd = input, .events = POLLIN};
	while (poll(&wait, 1, -1) < 0 && errno == EINTR)
		;
	if (!(wait.revents & POLLIN))
		_exit(0);
}

static G_GNUC_NORETURN void pager_become(int input, char **argv, bool chosen)
{
	signal(SIGINT, SIG_IGN); /* until there is a pager, which handles it */
	pager_await_text(input);
	if (dup2(input, STDIN_FILENO) < 0)
		_exit(1);
	signal(SIGINT, SIG_DFL);
	/* As git and systemd do: quit if it fits, show colours, leave the text on the screen. */
	g_setenv("LESS", "FRX", FALSE);
	execvp(argv[0], argv);
	if (chosen)
		cli_say(_("the pager %s cannot be started: %s"), argv[0], g_strerror(errno));
	pager_copy();
	_exit(0);
}

/* ---- the client */

/* The words of PAGER; NULL: there is nothing to start. */
static char **pager_words(bool *chosen_r)
{
	const char *wanted = g_getenv("PAGER");
	char **words = NULL;
	*chosen_r = wanted != NULL;
	if (!wanted)
		return g_strdupv((char *[]){(char *)"less", NULL});
	if (!g_shell_parse_argv(wanted, NULL, &words, NULL))
		return NULL;
	if (!g_str_equal(words[0], "cat"))
		return words;
	g_strfreev(words);
	return NULL;
}

Pager *pager_prepare(const Screen *out)
{
	int ends[2];
	bool chosen;
	if (!isatty(fileno(out->file)) || g_strcmp0(g_getenv("TERM"), "dumb") == 0)
		return NULL;
	g_auto(GStrv) words = pager_words(&chosen);
	if (!words || pipe(ends) < 0)
		return NULL;
	pid_t process = fork();
	if (process == 0) {
		close(ends[1]);
		pager_become(ends[0], words, chosen);
	}
	close(ends[0]);
	if (process < 0) {
		close(ends[1]);
		return NULL;
	}
	Pager *pager = g_new(Pager, 1);
	*pager = (Pager){ends[1], process};
	return pager;
}

static bool pager_is_needed(const Screen *out, const GString *text)
{
	struct winsize size;
	unsigned lines = 0;
	if (ioctl(fileno(out->file), TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
		return false;
	for (const char *p = text->str; (p = strchr(p, '\n')); p++)
		lines++;
	return lines >= size.ws_row;
}

/* Closes its input and waits for its end. */
static void pager_end(Pager *pager)
{
	close(pager->to_pager);
	pager->to_pager = -1;
	while (waitpid(pager->process, NULL, 0) < 0 && errno == EINTR)
		;
}

void pager_print(Pager *pager, const Screen *out, GString *text)
{
	if (!pager || !pager_is_needed(out, text)) {
		screen_put(out, text);
		return;
	}
	g_autofree char *converted = charset_text(text->str, text->len);
	if (converted)
		g_string_assign(text, converted);
	fflush(out->file);
	/* A key may end the pager early, and an interrupt is for it. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	for (size_t done = 0; done < text->len;) {
		ssize_t n = write(pager->to_pager, text->str + done, text->len - done);
		if (n < 0 && errno != EINTR)
			break;
		done += MAX(n, 0);
	}
	g_string_truncate(text, 0);
	pager_end(pager);
}

void pager_free(Pager *pager)
{
	if (!pager)
		return;
	if (pager->to_pager >= 0)
		pager_end(pager);
	g_free(pager);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - a program with libtarsier for library.py
 *
 * It knows the library by its header alone. Each line of its input is a command; the answer is one
 * line, "-" for NULL. Commands are for the handle that was opened last. */
#include "library/tarsier.h"
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANDLES = 8, THREADS = 4, ROUNDS = 25, ATTACHED_BYTE = 128 };

static tarsier *handles[HANDLES];
static unsigned n_handles;

static void say(const char *text)
{
	puts(text ? text : "-");
}

/* Does another process see a lock of this one on the byte that all connections hold (wal.c,
 * UNIX_SHM_DMS)? */
static int is_attached(const char *shm)
{
	int status = 1;
	pid_t child = fork();
	if (child == 0) {
		struct flock lock = {.l_type = F_WRLCK,
		        .l_whence = SEEK_SET,
		        .l_start = ATTACHED_BYTE,
		        .l_len = 1};
		int fd = open(shm, O_RDWR | O_CLOEXEC);
		_exit(fd < 0 || fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

static char *thread_text;

/* Returns a line of all that a handle of its own finds, or that the answers differ. */
static void *search_often(void *unused)
{
	char first[4096] = "";
	tarsier *index;
	(void)unused;
	if (tarsier_open(NULL, &index) != TARSIER_OK)
		return tarsier_close(index), NULL;
	for (int round = 0; round < ROUNDS; round++) {
		char line[4096] = "";
		tarsier_query(index, thread_text, 0, 0, 100);
		while (tarsier_next(index) == TARSIER_OK) {
			strncat(line, tarsier_field(index, "path"), sizeof line - strlen(line) - 1);
			strncat(line, " ", sizeof line - strlen(line) - 1);
		}
		if (round == 0)
			memcpy(first, line, sizeof first);
		else if (strcmp(first, line) != 0)
			memcpy(first, "different", sizeof "different");
	}
	tarsier_close(index);
	return strdup(first);
}

static void search_in_threads(const char *text)
{
	pthread_t threads[THREADS];
	thread_text = strdup(text);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, search_often, NULL);
	for (int i = 0; i < THREADS; i++) {
		void *found;
		pthread_join(threads[i], &found);
		printf("%s;", found ? (char *)found : "-");
		free(found);
	}
	puts("");
	free(thread_text);
}

static void show_marks(tarsier *index)
{
	size_t n;
	const uint32_t *marks = tarsier_snippet_marks(index, 0, &n);
	for (size_t i = 0; i < 2 * n; i++)
		printf("%u ", (unsigned)marks[i]);
	puts("");
}

static void query(tarsier *index, const char *arguments)
{
	unsigned flags, first, count;
	int length = 0;
	sscanf(arguments, "%u %u %u %n", &flags, &first, &count, &length);
	printf("%d\n", tarsier_query(index, arguments + length, flags, first, count));
}

static void show_total(tarsier *index)
{
	int exact;
	unsigned long total = tarsier_total(index, &exact);
	printf("%lu %d\n", total, exact);
}

static void run(const char *command, const char *argument)
{
	tarsier *index = n_handles > 0 ? handles[n_handles - 1] : NULL;
	unsigned number = strtoul(argument, NULL, 10);
	if (strcmp(command, "open") == 0)
		printf("%d\n", tarsier_open(*argument ? argument : NULL, &handles[n_handles++]));
	else if (strcmp(command, "attached") == 0)
		printf("%d\n", is_attached(argument));
	else if (strcmp(command, "threads") == 0)
		search_in_threads(argument);
	else if (strcmp(command, "close") == 0)
		tarsier_close(handles[--n_handles]), say("closed");
	else if (strcmp(command, "query") == 0)
		query(index, argument);
	else if (strcmp(command, "total") == 0)
		show_total(index);
	else if (strcmp(command, "next") == 0)
		printf("%d\n", tarsier_next(index));
	else if (strcmp(command, "error") == 0)
		say(tarsier_error(index));
	else if (strcmp(command, "field") == 0)
		say(tarsier_field(index, argument));
	else if (strcmp(command, "note") == 0)
		say(tarsier_note(index, number));
	else if (strcmp(command, "suggestion") == 0)
		say(tarsier_suggestion(index));
	else if (strcmp(command, "copy") == 0)
		say(tarsier_copy(index, number));
	else if (strcmp(command, "snippet") == 0)
		say(tarsier_snippet(index, number));
	else if (strcmp(command, "page") == 0)
		printf("%u\n", tarsier_snippet_page(index, number));
	else if (strcmp(command, "marks") == 0)
		show_marks(index);
}

int main(void)
{
	char line[8192];
	setlocale(LC_ALL, "");
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		char *blank = strchr(line, ' ');
		if (blank)
			*blank = '\0';
		run(line, blank ? blank + 1 : "");
	}
	while (n_handles > 0)
		tarsier_close(handles[--n_handles]);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-finder-client.c - a process that searches and ends is replaced, whatever it was asked */
#include <config.h>
#include "common/ipc/control.h"
#include "ui-bus/finder-client.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *program;

/* Answers each request with its own process. */
static int answer_requests(void)
{
	while (true) {
		g_autofree char *name = NULL;
		g_autoptr(GVariant) values = NULL;
		GVariantDict dict;
		if (!control_receive(STDIN_FILENO, -1, &name, &values, NULL))
			return EXIT_SUCCESS;
		g_variant_dict_init(&dict, NULL);
		g_variant_dict_insert(&dict, "process", "t", (guint64)getpid());
		control_send(STDIN_FILENO, "ok", g_variant_dict_end(&dict), NULL);
	}
}

typedef struct {
	bool done;
	guint64 process; /* that answered; 0: there was no answer */
} Answer;

static void take_answer(GVariant *values, void *data)
{
	Answer *answer = data;
	answer->done = true;
	if (values)
		g_variant_lookup(values, "process", "t", &answer->process);
}

static guint64 process_that_answers(FinderClient *client)
{
	Answer answer = {0};
	g_assert_true(finder_client_ask(client, "test", "search",
	        g_variant_new_array(G_VARIANT_TYPE("{sv}"), NULL, 0), take_answer, &answer));
	while (!answer.done)
		g_main_context_iteration(NULL, TRUE);
	return answer.process;
}

/* Kills the process, and waits for its end without letting the client see it. */
static void kill_and_wait(guint64 process)
{
	siginfo_t info;
	kill((pid_t)process, SIGKILL);
	g_assert_cmpint(waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT), ==, 0);
}

static void test_end_before_a_request(void)
{
	char *command[] = {program, (char *)"--answer", NULL};
	g_autoptr(FinderClient) client = finder_client_new(command);
	guint64 first = process_that_answers(client);
	g_assert_cmpuint(first, !=, 0);
	g_assert_cmpuint(process_that_answers(client), ==, first);
	kill_and_wait(first);
	guint64 second = process_that_answers(client);
	g_assert_cmpuint(second, !=, 0);
	g_assert_cmpuint(second, !=, first);
}

static void test_process_that_always_ends(void)
{
	char *command[] = {(char *)"/bin/true", NULL};
	g_autoptr(FinderClient) client = finder_client_new(command);
	g_assert_cmpuint(process_that_answers(client), ==, 0);
	g_assert_false(finder_client_is_busy(client));
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--answer") == 0)
		return answer_requests();
	g_test_init(&argc, &argv, NULL);
	signal(SIGPIPE, SIG_IGN);
	program = argv[0];
	g_test_add_func("/finder-client/an end before a request", test_end_before_a_request);
	g_test_add_func("/finder-client/a process that always ends", test_process_that_always_ends);
	return g_test_run();
}

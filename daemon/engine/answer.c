/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/answer.h"

typedef struct {
	EngineReply reply;
	void *data;
	uint64_t n;
	GError *error;
} Answer;

static gboolean answer_deliver(gpointer data)
{
	Answer *answer = data;
	answer->reply(answer->n, answer->error, answer->data);
	return G_SOURCE_REMOVE;
}

static void answer_free(gpointer data)
{
	Answer *answer = data;
	g_clear_error(&answer->error);
	g_free(answer);
}

void answer_post(EngineReply reply, void *data, uint64_t n, const GError *error)
{
	if (!reply)
		return;
	Answer *answer = g_new(Answer, 1);
	*answer = (Answer){reply, data, n, error ? g_error_copy(error) : NULL};
	/* g_main_context_invoke() would call the function from this thread until the main loop
	 * runs */
	g_idle_add_full(G_PRIORITY_DEFAULT, answer_deliver, answer, answer_free);
}

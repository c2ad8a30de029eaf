/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/rescan-suspicion.h"
#include "daemon/watch/hints.h"

enum { WRITE = HINT_MODIFIED | HINT_CLOSED, MAKE = HINT_CREATED | HINT_ARRIVED };
enum { COME = HINT_MOVED | HINT_ARRIVED, GO = HINT_MOVED | HINT_MOVED_ON };

/* what: hints of the events, merged as the queue does it. inode: the inode that is found, 0:
 * none. */
static SuspicionAnswer ask(
        Suspicion *suspicion, const char *name, int64_t inode, const unsigned *what)
{
	unsigned all = 0;
	for (; *what; what++)
		all = hint_merge(all, *what);
	return suspicion_ask(suspicion, &(SuspicionLook){7, name, all, inode}, 1);
}
#define ASK(name, inode, ...) ask(suspicion, name, inode, (const unsigned[]){__VA_ARGS__, 0})

static void test_lost(void)
{
	Suspicion *suspicion = suspicion_new();
	g_assert_cmpint(ASK("x", 0, MAKE, WRITE, HINT_GONE), ==, SUSPICION_RAISED);
	g_assert_cmpint(ASK("x", 0, MAKE, HINT_FACTS, HINT_GONE), ==, SUSPICION_RAISED);
	g_assert_cmpint(ASK("x", 0, MAKE, HINT_GONE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("x", 5, WRITE, HINT_GONE, MAKE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("x", 5, MAKE, WRITE, COME), ==, SUSPICION_RAISED);
	g_assert_cmpint(ASK("x", 0, COME, WRITE, HINT_GONE), ==, SUSPICION_RAISED);
	suspicion_free(suspicion);
}

/* The file is missing, and no event has reported its removal yet. */
static void test_late(void)
{
	Suspicion *suspicion = suspicion_new();
	g_assert_cmpint(ASK("x", 0, MAKE, WRITE), ==, SUSPICION_LOOK_AGAIN);
	g_assert_cmpint(ASK("x", 0, MAKE, WRITE, HINT_LOOK_AGAIN, GO), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("x", 0, MAKE, WRITE, HINT_LOOK_AGAIN), ==, SUSPICION_RAISED);
	suspicion_free(suspicion);
}

/* The file that replaced it was found before its own event came. */
static void test_found_before(void)
{
	Suspicion *suspicion = suspicion_new();
	g_assert_cmpint(ASK("x", 5, MAKE, WRITE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("x", 5, WRITE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("x", 6, COME), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("y", 6, COME), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("x", 6, COME), ==, SUSPICION_RAISED);
	suspicion_forget(suspicion);
	g_assert_cmpint(ASK("x", 6, COME), ==, SUSPICION_NONE);
	suspicion_free(suspicion);
}

/* The file was written by one name and lost by the next, whichever of them is compared first. */
static void test_chain(void)
{
	for (unsigned turn = 0; turn < 2; turn++) {
		Suspicion *suspicion = suspicion_new();
		g_assert_cmpint(turn ? ASK("x", 0, MAKE, WRITE, GO) : ASK("y", 0, COME, HINT_GONE),
		        ==, SUSPICION_NONE);
		g_assert_cmpint(turn ? ASK("y", 0, COME, HINT_GONE) : ASK("x", 0, MAKE, WRITE, GO),
		        ==, SUSPICION_RAISED);
		suspicion_free(suspicion);
	}
}

/* The ways in which programs save files raise no suspicion, however many steps were seen. */
static void test_saving(void)
{
	Suspicion *suspicion = suspicion_new();
	for (unsigned i = 0; i < 5; i++) {
		g_assert_cmpint(ASK("a.tmp", 0, MAKE, WRITE, HINT_FACTS, GO), ==, SUSPICION_NONE);
		g_assert_cmpint(ASK("a", 10 + i, COME), ==, SUSPICION_NONE);
	}
	suspicion_free(suspicion);
	suspicion = suspicion_new();
	g_assert_cmpint(ASK("b", 5, GO, MAKE, WRITE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("b~", 0, COME, HINT_GONE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("c", 8, HINT_GONE, MAKE, WRITE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("d", 8, WRITE), ==, SUSPICION_NONE);
	g_assert_cmpint(ASK("e", 0, HINT_GONE), ==, SUSPICION_NONE);
	suspicion_free(suspicion);
}

/* Events may arrive one by one or in groups. */
static void test_groups(void)
{
	static const unsigned events[] = {HINT_CREATED | HINT_ARRIVED, HINT_MODIFIED, HINT_CLOSED,
	        HINT_MOVED | HINT_MOVED_ON};
	enum { N = G_N_ELEMENTS(events) };
	for (unsigned cuts = 0; cuts < 1 << (N - 1); cuts++) {
		unsigned all = 0, group = events[0];
		for (unsigned i = 1; i < N; i++) {
			bool cut = cuts >> (i - 1) & 1;
			all = cut ? hint_merge(all, group) : all;
			group = cut ? events[i] : hint_merge(group, events[i]);
		}
		g_assert_cmpuint(hint_merge(all, group) & HINT_CARRIED, ==, HINT_CARRIED);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/daemon/rescan-suspicion/raised-by-a-write-whose-name-is-lost", test_lost);
	g_test_add_func("/daemon/rescan-suspicion/waits-for-the-event-that-explains-a-missing-name",
	        test_late);
	g_test_add_func("/daemon/rescan-suspicion/not-raised-if-the-replacement-was-found-first",
	        test_found_before);
	g_test_add_func("/daemon/rescan-suspicion/raised-by-a-chain-of-lost-names", test_chain);
	g_test_add_func(
	        "/daemon/rescan-suspicion/not-raised-by-the-ways-programs-save", test_saving);
	g_test_add_func(
	        "/daemon/rescan-suspicion/a-carried-write-is-kept-however-events-are-merged",
	        test_groups);
	return g_test_run();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that many files in one directory, equal, empty or different, cost no more than the same
 * number of single files. Work is counted in steps of SQLite's virtual machine, which do not depend
 * on the computer. */
#include <config.h>
#include "tests/index/index-test.h"
#include "index/write/writer-private.h"
#include <string.h>

enum { FEW = 500, MANY = 4 * FEW, BATCH = 64 };

static uint64_t steps(const Fixture *f)
{
	uint64_t sum = 0;
	for (int i = 0; i < N_STATEMENTS; i++)
		if (f->w->statements[i])
			sum += sqlite3_stmt_status(
			        f->w->statements[i], SQLITE_STMTSTATUS_VM_STEP, 1);
	return sum;
}

typedef enum { EQUAL, DIFFERENT } Texts;

static void bring_in(Fixture *f, const Entry *file, Texts texts)
{
	g_autofree char *text = texts == EQUAL ? g_strdup("same")
	                                       : g_strdup_printf("w%" G_GINT64_FORMAT, file->inode);
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	checksum_of(ZERO_KEY, text, strlen(text), checksum);
	if (writer_find_content(f->w, checksum, &content, NULL))
		OK(writer_link(f->w, file->inode, content, error));
	else
		convert(f, file->inode, text);
}

/* Takes the backlog batch by batch, as the pipeline does. */
static void bring_in_all(Fixture *f, Texts texts)
{
	for (;;) {
		g_autoptr(GArray) batch = NULL;
		OK(writer_pending(f->w, &PENDING_NEWEST, BATCH, NULL, &batch, error));
		if (batch->len == 0)
			return;
		for (guint i = 0; i < batch->len; i++)
			bring_in(f, &g_array_index(batch, Entry, i), texts);
	}
}

static uint64_t work_for(Fixture *f, unsigned n, Texts texts, uint64_t ino)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	unsigned queued;
	steps(f);
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("f%u.txt", i);
		put(f, root.node, name, stat_of(f, ino + i, ENTRY_FILE, 4, 20));
	}
	bring_in_all(f, texts);
	commit(f);
	OK(writer_retry(f->w, 0, &queued, error));
	OK(content_remove_unfinished(f->w, error));
	OK(writer_remove(f->w, root.node, error));
	commit(f);
	return steps(f);
}

static void test_linear(Fixture *f, gconstpointer data)
{
	Texts texts = GPOINTER_TO_INT(data);
	uint64_t few = work_for(f, FEW, texts, 100), many = work_for(f, MANY, texts, 100 + FEW);
	g_test_message("%" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " steps", few, many);
	g_assert_cmpuint(few, >, 0);
	g_assert_cmpuint(many, <=, few * MANY / FEW * 11 / 10);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/index/many/equal-files-cost-linear-work", Fixture, GINT_TO_POINTER(EQUAL),
	        fixture_up, test_linear, fixture_down);
	g_test_add("/index/many/different-files-cost-linear-work", Fixture,
	        GINT_TO_POINTER(DIFFERENT), fixture_up, test_linear, fixture_down);
	return g_test_run();
}

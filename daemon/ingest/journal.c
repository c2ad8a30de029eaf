/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/journal.h"
#include "common/base/autofd.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

struct Journal {
	int fd; /* -1: there is none */
	int64_t slots[JOURNAL_SLOTS];
	bool changed; /* since they were written */
};

static void journal_collect(Journal *journal, GArray *suspects)
{
	ssize_t got =
	        journal->fd < 0 ? 0 : pread(journal->fd, journal->slots, sizeof(journal->slots), 0);
	for (ssize_t i = 0; i < got / (ssize_t)sizeof(int64_t); i++) {
		if (journal->slots[i] > 0)
			g_array_append_val(suspects, journal->slots[i]);
	}
	memset(journal->slots, 0, sizeof(journal->slots));
}

Journal *journal_open(const char *index_dir, GArray **suspects_r)
{
	Journal *journal = g_new0(Journal, 1);
	g_autofree char *path = g_build_filename(index_dir, "in-work", NULL);
	*suspects_r = g_array_new(FALSE, FALSE, sizeof(int64_t));
	journal->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	journal_collect(journal, *suspects_r);
	if (journal->fd >= 0 && ftruncate(journal->fd, 0) != 0)
		autofd_close(&journal->fd);
	return journal;
}

void journal_close(Journal *journal)
{
	if (journal->fd >= 0 && ftruncate(journal->fd, 0) != 0)
		g_debug("journal: cannot be emptied");
	autofd_close(&journal->fd);
	g_free(journal);
}

static void journal_replace(Journal *journal, int64_t from, int64_t to)
{
	for (unsigned i = 0; i < JOURNAL_SLOTS; i++) {
		if (journal->slots[i] == from) {
			journal->slots[i] = to;
			journal->changed = true;
			return;
		}
	}
}

void journal_add(Journal *journal, int64_t inode)
{
	journal_replace(journal, 0, inode);
}

void journal_remove(Journal *journal, int64_t inode)
{
	journal_replace(journal, inode, 0);
}

void journal_write(Journal *journal)
{
	if (journal->changed && journal->fd >= 0 &&
	        pwrite(journal->fd, journal->slots, sizeof(journal->slots), 0) !=
	                sizeof(journal->slots))
		g_debug("journal: cannot be written");
	journal->changed = false;
}

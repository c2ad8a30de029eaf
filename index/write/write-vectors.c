/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-vectors.c - the file of word vectors that somebody brings, and what became of it */
#include <config.h>
#include "common/base/i18n.h"
#include "index/meaning/word-file-look.h"
#include "index/write/writer-private.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define VECTORS "vectors"
#define VECTORS_WORDS "vectors_words"
#define VECTORS_REFUSED "vectors_refused"
static const int64_t most_file_bytes = (int64_t)32 << 30;

void writer_set_word_vectors(Writer *w, const char *path, int (*open_file)(const char *path))
{
	g_free(w->vectors_path);
	w->vectors_path = g_strdup(path ? path : "");
	w->open_vectors = open_file;
}

static char *vectors_identity_of(const struct stat *st, const char *path)
{
	return g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld %s",
	        (gint64)st->st_size, (gint64)st->st_mtim.tv_sec, st->st_mtim.tv_nsec, path);
}

char *vectors_identity(const Writer *w)
{
	const char *path = w->vectors_path ? w->vectors_path : "";
	struct stat st = {0};
	if (path[0] == '\0')
		return g_strdup("");
	if (!word_file_obstacle(path) && stat(path, &st) != 0)
		st = (struct stat){0};
	return vectors_identity_of(&st, path);
}

int vectors_open(const Writer *w, char **refusal_r)
{
	const char *path = w->vectors_path ? w->vectors_path : "", *why;
	struct stat st;
	*refusal_r = NULL;
	if (path[0] == '\0')
		return -1;
	why = word_file_obstacle(path);
	int fd = why ? -1 : w->open_vectors(path);
	if (!why && (fd < 0 || fstat(fd, &st) != 0))
		why = g_strerror(errno);
	else if (!why && !S_ISREG(st.st_mode))
		why = _("it is not a regular file");
	else if (!why && st.st_size > most_file_bytes)
		why = _("it is larger than 32 GiB");
	*refusal_r = g_strdup(why);
	if (why && fd >= 0)
		close(fd);
	return why ? -1 : fd;
}

bool vectors_changed(Writer *w, bool *changed_r, GError **error)
{
	sqlite3_stmt *row;
	g_autofree char *now = vectors_identity(w);
	int found = statement_row(w, META_GET, VALUES(TEXT(VECTORS)), &row, error);
	if (found < 0)
		return false;
	const char *then = found > 0 ? (const char *)sqlite3_column_text(row, 0) : "";
	*changed_r = g_strcmp0(then, now) != 0;
	if (found > 0)
		sqlite3_reset(row);
	return true;
}

bool vectors_note(
        Writer *w, const char *identity, unsigned words, const char *refusal, GError **error)
{
	return statement_run(w, META_SET, VALUES(TEXT(VECTORS), TEXT(identity)), error) &&
	       statement_run(w, META_SET, VALUES(TEXT(VECTORS_WORDS), INT(words)), error) &&
	       statement_run(w, META_SET,
	               VALUES(TEXT(VECTORS_REFUSED), TEXT(refusal ? refusal : "")), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tarsier.h - searches the files of a user from any program
 *
 * The index is read; nothing is written, and no daemon needs to run. Hits are those of "tarsier
 * search": each file exists, is the one that was indexed, and may be read by the user of the
 * process now. The query language is that of tarsier(1).
 *
 *     tarsier *index;
 *     if (tarsier_open(NULL, &index) == TARSIER_OK && tarsier_query(index, "tax 2024", 0, 0, 10) ==
 * TARSIER_OK) while (tarsier_next(index) == TARSIER_OK) puts(tarsier_field(index, "path"));
 *     tarsier_close(index);
 *
 * A handle serves one thread at a time; several handles may be used at once, of the same index too.
 * Every text is UTF-8 unless said otherwise, ends with a zero byte, and belongs to the handle until
 * its next tarsier_query(), tarsier_next() or tarsier_close(). Messages are in the language that
 * the program chose by setlocale(). The library never prints and installs no handler of signals. If
 * the disk of the index is full, reading it may raise SIGBUS, as with every file that is mapped.
 *
 * Functions and fields are only added: a program runs with each later library of the same name. */
#ifndef TARSIER_H
#define TARSIER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tarsier tarsier;

/* The results of the functions: the numbers are those of the exit codes of tarsier(1). */
enum {
	TARSIER_OK = 0,
	TARSIER_END = 1, /* there are no more hits */
	TARSIER_QUERY = 2, /* the query, or a file that it names, cannot be used */
	TARSIER_ABSENT = 3, /* there is no index yet */
	TARSIER_DAMAGED = 4, /* the index is damaged, of another version, or cannot be read */
	TARSIER_BUSY = 75 /* it took too long, or the index is locked */
};

/* Flags of tarsier_query(). */
enum {
	/* The text is still being typed: its last word may be the beginning of one. */
	TARSIER_TYPED = 1
};

/* The version of the library, as "0.1.0". */
const char *tarsier_version(void);

/* Opens the index below a directory, as --index of tarsier(1); NULL: the user's own. *index_r is a
 * handle in any case, for tarsier_error(), and must be closed. An index that is made later, or
 * anew, is found by the next query: so a handle may be kept when this returns TARSIER_ABSENT. */
int tarsier_open(const char *directory, tarsier **index_r);
void tarsier_close(tarsier *index); /* NULL is allowed */
/* Why the last call failed, one line for people; "" if it did not. */
const char *tarsier_error(const tarsier *index);

/* Searches, and forgets the hits of the query before. first: how many of the best hits are passed
 * over; count: the most hits wanted, 0 for none; both up to a million. TARSIER_OK also if nothing
 * is found. It takes two seconds at most (TARSIER_BUSY). */
int tarsier_query(
        tarsier *index, const char *query, unsigned flags, unsigned first, unsigned count);
/* How many entries match. *exact_r, which may be NULL: 0 if fewer may be readable. */
uint64_t tarsier_total(const tarsier *index, int *exact_r);
/* The notes on parts of the query that were left out or read otherwise, from 0; NULL: no more. */
const char *tarsier_note(const tarsier *index, unsigned number);
/* The corrected query if it may be misspelt, which takes up to half a second; NULL: there is none.
 */
const char *tarsier_suggestion(tarsier *index);

/* Goes to the next hit, the best one first: TARSIER_OK, or TARSIER_END. */
int tarsier_next(tarsier *index);
/* A field of the hit by the name that it has in "tarsier search --json" (tarsier-output(5)); NULL:
 * the hit has none, or there is no such field. Numbers are decimal. "path" and "member" are raw
 * bytes: names of files need not be UTF-8. The fields are path, member, uri, source, title, author,
 * mime, kind, lang, size, mtime, date (seconds since 1970 both), checksum, id, score, state. */
const char *tarsier_field(tarsier *index, const char *name);
/* Paths (raw bytes, with "|member") of other files with the same text, from 0; NULL: no more. */
const char *tarsier_copy(const tarsier *index, unsigned number);

/* A passage of the hit, the best first, from 0; NULL: no more. One line. Without a cached text the
 * file is converted in the sandbox for it, for a third of a second at most for all hits. */
const char *tarsier_snippet(tarsier *index, unsigned number);
/* Where the words of the query are in it: pairs of bytes, begin and end, ascending; *count_r is the
 * number of pairs. Belongs to the handle as the passage does. NULL: none. */
const uint32_t *tarsier_snippet_marks(tarsier *index, unsigned number, size_t *count_r);
/* The page, slide or sheet of it, from 1; 0: none. */
unsigned tarsier_snippet_page(tarsier *index, unsigned number);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-file-look.h - what can be said against a file of word vectors before it is read
 *
 * A training reads the file, and an index of few documents is not trained. */
#pragma once

enum { WORD_FILE_LOOK_BYTES = 1 << 20 };

/* A clause in the user's language, or NULL: nothing is known against the path. */
const char *word_file_obstacle(const char *path);
/* Reads the first WORD_FILE_LOOK_BYTES bytes of the file at the path, with the rights of this
 * process. Returns a clause in the user's language that says why it would be refused, which the
 * caller frees, or NULL: nothing is wrong so far. */
char *word_file_look(const char *path);

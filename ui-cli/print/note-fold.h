/* SPDX-License-Identifier: GPL-3.0-or-later */
/* note-fold.h - folds notes and messages at blanks, so that a terminal breaks no word */
#pragma once
#include <glib.h>

/* Appends escaped text and a newline, folded into lines of at most width cells. Text in
 * quotes, and a command at the end ("write: tarsier open id:7"), are kept on one line, so that each
 * can be copied; what is wider than a line is not broken. Indented text is a quotation and stays as
 * it is. width 0: one line. indent: blanks before each line but the first, which are not part of
 * width. */
void note_fold_append(GString *out, const char *text, unsigned width, unsigned indent);

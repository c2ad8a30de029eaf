/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ending.h - signals that end or stop the program leave the terminal as it was
 *
 * SIGINT, SIGTERM and SIGHUP from outside end it: while it waits for a key, its loop does that in
 * order. Otherwise, as a conversion may take a minute, the signal itself ends it at once. */
#pragma once
#include <stdbool.h>

/* Begins to handle the signals, after ncurses has. fd: the terminal, whose pastes are in brackets
 * while on (ending_paste()). */
void ending_begin(int fd);
/* Lets the terminal put pastes in brackets, or no longer. Terminals that cannot do it ignore it. */
void ending_paste(bool on);
/* The program begins, or ceases, to wait for a key. */
void ending_wait(bool waits);
/* Has a signal asked the program to end while it waited? */
bool ending_is_asked(void);
/* Ends the program by that signal, if there is one. The terminal has been restored. */
void ending_obey(void);

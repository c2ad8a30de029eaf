/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program-text.h - does a command put a file name into a text that a program runs?
 *
 * A name is data and may hold any byte but "/" and NUL. In `sh -c 'cat {}'` a file called
 * "$(reboot)" would be a command. As an argument of its own, `sh -c 'cat "$1"' sh {}`, it is only a
 * name. */
#pragma once

/* command: NULL-terminated words. Returns the word that names a shell or another interpreter which
 * is told to run a text with "{}" in it, also after programs such as env and sudo; NULL: there is
 * none. Borrowed from command. Of the programs that hand their plain arguments to a shell by
 * themselves, ssh and watch are known, others are not. */
const char *program_text_has_braces(char *const *command);

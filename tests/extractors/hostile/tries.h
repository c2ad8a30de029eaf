/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tries.h - system calls that a plugin under hostile control tries; each is harmless if it is not
 * refused */
#pragma once

/* Returns "refused" or "allowed"; NULL: there is no try with that name. */
const char *hostile_try(const char *verb);
/* Returns the file to convert; -1: there is none. */
int hostile_input_fd(void);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tries.h - what a plugin that was taken over tries of the system; each is harmless if it is not
 * refused */
#pragma once

/* "refused" or "allowed"; NULL if no try has that name. */
const char *hostile_try(const char *verb);
/* The file that is to be converted; -1: there is none. */
int hostile_input_fd(void);

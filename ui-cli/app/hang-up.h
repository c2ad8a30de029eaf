/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hang-up.h - tells whether somebody still reads the output */
#pragma once
#include <stdbool.h>

/* Waits for at most ms milliseconds, and returns earlier if the terminal or the reader of the pipe
 * behind fd is gone. True if it is gone. A file never is. */
bool hang_up_wait(int fd, int ms);

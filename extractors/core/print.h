/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.h - prints frames as readable text, for `tarsier-extract --file` */
#pragma once
#include "common/ipc/wire.h"
#include <stdio.h>

/* Prints a frame as one line, indented by *depth, which it updates. Control characters are
 * escaped. */
void print_frame(FILE *file, const WireFrame *frame, unsigned *depth);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.h - frames in readable form, for `tarsier-extract --file` */
#pragma once
#include "common/ipc/wire.h"
#include <stdio.h>

/* One line a frame, indented by depth, everything unfit for a terminal escaped. */
void print_frame(FILE *file, const WireFrame *frame, unsigned *depth);

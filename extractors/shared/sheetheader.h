/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheetheader.h - headers and footers of Excel sheets (ECMA-376 part 1, 18.3.1.46; MS-XLS
 * 2.4.136) */
#pragma once
#include "extractors/shared/flow.h"

/* Sends a header or footer without its codes: "&L&\"Arial,Bold\"&12Confidential&RPage &P". */
void sheet_header_put(Flow *flow, const char *header);

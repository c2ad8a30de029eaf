/* SPDX-License-Identifier: GPL-3.0-or-later */
/* book.h - what workbooks of XML and binary ones share */
#pragma once
#include "extractors/flow.h"

/* Sends a header or footer without its codes: "&L&\"Arial,Bold\"&12Confidential&RPage &P". */
void book_put_header(Flow *flow, const char *header);

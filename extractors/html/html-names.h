/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-names.h - what the names of classes and identifiers tell about a container */
#pragma once
#include "extractors/html/html-token.h"
#include <stdbool.h>

typedef struct {
	bool unlikely; /* to be content at all */
	bool likely; /* in spite of that */
	int weight; /* +25, -25 for each of both attributes */
} NameHint;

NameHint name_hint(Span class_name, Span id);

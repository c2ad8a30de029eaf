/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-names.h - judges a container by its class and id attributes */
#pragma once
#include "extractors/html/html-token.h"
#include <stdbool.h>

typedef struct {
	bool unlikely; /* it is probably not content */
	bool comments; /* it probably holds what readers wrote below a text */
	bool consent; /* it asks for consent to cookies */
	bool hidden; /* a class of it hides it in most style sheets */
	bool likely; /* it is probably content after all; overrides unlikely */
	bool service; /* a word of it says that it serves the page: "byline", "share" */
	int weight; /* +25 or -25 for each of the two attributes */
} NameHint;

NameHint name_hint(HtmlSpan class_name, HtmlSpan id);

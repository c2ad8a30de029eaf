/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help-text.h - help texts in a small part of Markdown, made readable on a terminal or in a pipe */
#pragma once
#include "ui-cli/print/screen.h"

/* Appends the text, folded at the width of the screen and escaped. It knows headings (#),
 * paragraphs, items (-) of one level, tables, code between fences or indented by four spaces, and
 * `code`, **bold** and [links](target) inside of lines; links lose their target. Anything else is a
 * paragraph. text: UTF-8. */
void help_text_append(const Screen *screen, GString *out, const char *text);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-colour.h - the colour profiles in a PDF, which a text does not need
 *
 * For each page of a PDF/A file, poppler builds a transform from the colour profile of the file,
 * which costs up to twenty times as much as the text of the page. poppler has no switch for it, so
 * this plugin defines the function of Little CMS that reads a profile. poppler calls this one
 * because the dynamic linker looks in a module that was opened before it looks in the libraries
 * that the module needs (dlopen(3), RTLD_LOCAL). Without a profile, poppler uses the alternate
 * colour space (ISO 32000-1, 8.6.5.5). */
#pragma once
#include <stdbool.h>

/* Are profiles read? At first they are not; a picture of a page needs them. */
void pdf_colour_use(bool profiles);

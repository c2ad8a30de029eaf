/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-arabic.h - Arabic words in which poppler reverses the letters of a ligature
 *
 * poppler turns a line from right to left around letter by letter, and so it does with a ligature
 * that a PDF calls by several letters: lam-alef becomes alef-lam, and Allah becomes "halla". */
#pragma once

/* Corrects, in place, those words of a valid text that have only one right spelling. */
void pdf_arabic_spell(char *text);

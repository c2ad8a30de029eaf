/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-parts.h - the parts of a compound word: QuarterlyReport2023 has Quarterly, Report and 2023
 *
 * A part begins at a capital after a small letter, at the last of several capitals if a small
 * letter follows it (XML|File), and between letters and digits. Words of letters and digits are
 * more often codes (mp3, S01E02, 3f2504e0) than compounds. They are divided only if they have three
 * letters in a row, and at most four changes between letters and digits. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* start to end is one word of valid UTF-8, not empty. */
bool word_has_parts(const uint8_t *start, const uint8_t *end);
/* Returns the end of the part that begins at s. *characters_r: its characters, not counting marks.
 */
const uint8_t *word_part_end(const uint8_t *s, const uint8_t *end, unsigned *characters_r);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts.h - "1 file", "3 files": numbers of things in the user's language */
#pragma once
#include <stdint.h>

/* Yours. */
char *count_files(uint64_t n);
char *count_documents(uint64_t n);
char *count_directories(uint64_t n);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-idna.h - domain names with letters of all scripts
 *
 * Source: UTS #46, nontransitional, with the checks of joiners and of bidirectional text, without
 * those of hyphens and lengths, as the WHATWG URL Standard wants it. It is done by ICU, which is
 * loaded when the first such name comes, so that programs start without it. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Loads ICU now, for a process that may not open files later. False if it is missing or if this
 * program was built without it. Threads may call it. */
bool url_idna_load(void);
/* Returns the name in lower-case ASCII. domain: any bytes. NULL if it is invalid, or if ICU is
 * missing; *reason_r gets a static, untranslated clause. The caller frees the result. */
char *url_idna_to_ascii(const char *domain, size_t length, const char **reason_r);

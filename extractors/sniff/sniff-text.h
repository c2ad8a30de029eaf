/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-text.h - the type of a text */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if it looks like text in some charset: no control characters but white space and escapes. */
bool sniff_is_text(const uint8_t *data, size_t size);

/* True if it is text but for a few runs of NUL bytes, as a log has where the power failed while it
 * was written. Other formats may look so too: ask for them before. */
bool sniff_is_text_with_nuls(const uint8_t *data, size_t size);

/* True for UTF-8 with many controls: chats with the colours of IRC, records whose fields are
 * separated by 0x01 or 0x1f, keys in the settings of an editor. Ask for other formats before. */
bool sniff_is_text_with_controls(const uint8_t *data, size_t size);

/* Returns the type of a text: mark-up, mail and scripts by their first bytes, other types by the
 * name. The result is static; "text/plain" if nothing tells more. */
const char *sniff_text_type(const uint8_t *data, size_t size, const char *name);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-mail.h - tells messages, mailboxes and saved pages by their headers */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Returns the type of a message, a mailbox or a saved page (MHTML) by its headers, whatever bytes
 * the body has; NULL: it is none. If the file has the name of a mail, one header is enough. The
 * result is static. */
const char *sniff_mail_type(const uint8_t *data, size_t size, const char *name);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warc-record.h - one record of a WARC 1.1 file (ISO 28500:2017) as one gzip member
 *
 * A record is written with the headers that the standard demands, and with
 * WARC-Payload-Digest (SHA-256, base32) where it has a payload. A response holds the status line
 * and the headers of the server, then the body as it was decoded: the coding that the transfer had
 * is gone, so Content-Encoding, Transfer-Encoding and Content-Length are written as
 * X-Archive-Orig-NAME, and a true Content-Length is added. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	WARC_MAX_HEAD_BYTES = 128 << 10, /* of the WARC headers, and of those of the server as they
	                                    are written */
	WARC_MAX_SERVER_BYTES = 48 << 10, /* of those of the server as received */
	WARC_MAX_BODY_BYTES = 64 << 20,
	WARC_MAX_URI_BYTES = 8 << 10,
	WARC_DIGEST_BYTES = 32, /* SHA-256 */
};

typedef enum {
	WARC_INFO, /* about the file; body: lines "name: value" */
	WARC_RESPONSE, /* an answer of a server */
	WARC_RESOURCE, /* bytes without an answer of their own, such as the text of a feed's item */
	WARC_REVISIT, /* the page was asked for again and had not changed: no body */
	N_WARC_TYPES
} WarcType;

/* A record to write. All pointers are borrowed. */
typedef struct {
	WarcType type;
	const char *uri; /* ASCII without spaces and controls; NULL for WARC_INFO */
	int64_t date; /* seconds since 1970 */
	const char *head; /* WARC_RESPONSE, WARC_REVISIT: status line and headers as received */
	size_t head_length;
	const char *media_type; /* WARC_RESOURCE: its Content-Type */
	const uint8_t *body;
	size_t body_length;
	const uint8_t *digest; /* WARC_REVISIT: SHA-256 of the body that has not changed; else
	                          NULL */
	int64_t former_date; /* WARC_REVISIT: when that body was fetched */
} WarcDraft;

#define WARC_ERROR warc_error_quark()
GQuark warc_error_quark(void);
typedef enum {
	WARC_ERROR_INVALID, /* the record to write breaks a limit or the rules above */
	WARC_ERROR_DAMAGED, /* the bytes read are not such a record */
	WARC_ERROR_IO, /* the file system failed; the message has its reason */
	WARC_ERROR_FULL, /* no space */
} WarcError;

/* Appends the gzip member to out. digest_r, WARC_DIGEST_BYTES: receives the SHA-256 of the body;
 * may be NULL. False with WARC_ERROR_INVALID, and out is unchanged. */
bool warc_record_pack(const WarcDraft *record, GByteArray *out, uint8_t *digest_r, GError **error);

/* A record that was read. */
typedef struct {
	WarcType type;
	char *uri; /* NULL for WARC_INFO */
	int64_t date;
	char *head; /* status line and headers, each line ended by CR LF; empty if there are none */
	char *media_type; /* Content-Type of the body, or NULL */
	GBytes *body;
} WarcContent;
void warc_content_free(WarcContent *content);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WarcContent, warc_content_free)

/* Unpacks one gzip member that warc_record_pack() made. max_bytes: of the unpacked record; memory
 * in use stays below twice that. The digest is checked. NULL with WARC_ERROR_DAMAGED. The caller
 * owns the result. */
WarcContent *warc_record_unpack(
        const uint8_t *member, size_t length, size_t max_bytes, GError **error);
/* The same where other members may follow. *used_r: bytes of the first one. */
WarcContent *warc_record_unpack_first(
        const uint8_t *bytes, size_t length, size_t max_bytes, size_t *used_r, GError **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-wire.h - messages between tarsierd (or tarsier) and the confined tarsier-fetch
 *
 * The transport is AF_UNIX SOCK_SEQPACKET, as for tarsier-extract (wire.h): a packet is one
 * message, a fixed head and the bytes of its texts one after the other, in host byte order. The
 * caller sends START once and gets HELLO. Then it sends REQUEST, and every request gets one ANSWER.
 * The body of an answer is a sealed memfd (SCM_RIGHTS).
 *
 * Both sides check what they receive with these functions: the program must not be talked into
 * another header line or another scheme, and its caller believes nothing that the network may have
 * taken over.
 *
 * tarsierd has a launcher start the program (common/fetch/fetch-launcher.h). The launcher sends
 * HELLO once. LAUNCH hands it the program's end of a socket pair (SCM_RIGHTS), and STOP ends the
 * program. When the program has ended, the launcher sends ENDED on the socket of the program.
 * PARTITION hands it the end of a socket for tarsier-partition (common/ipc/partition-wire.h), which
 * ends when that socket is closed. */
#pragma once
#include "common/base/web-agent.h"
#include "common/ipc/wire.h"

enum {
	FETCH_WIRE_VERSION = 4,
	FETCH_MAX_REQUESTS = 32, /* at the same time */
	FETCH_MAX_URL = 8192, /* bytes; each of the following too */
	FETCH_MAX_VALUE = 4096, /* of a header that is sent */
	FETCH_MAX_HEADERS = 48 << 10, /* of the block of headers of an answer */
	FETCH_MAX_ADDRESS = 64,
	FETCH_MAX_DETAIL = 512,
	FETCH_MAX_PATH = 4096, /* of the file of certificates */
	FETCH_MAX_SECONDS = 3600,
};
/* The product token of the User-Agent, by which robots.txt names us. */
#define FETCH_AGENT WEB_AGENT_NAME
#define FETCH_MAX_BODY ((uint64_t)64 << 20) /* bytes, on the wire and decoded */

typedef enum {
	FETCH_START = 1, /* to the program: the file of certificates */
	FETCH_HELLO, /* from the program or the launcher: it is confined */
	FETCH_REQUEST,
	FETCH_ANSWER,
	FETCH_LAUNCH, /* to the launcher */
	FETCH_STOP,
	FETCH_ENDED, /* from the launcher */
	FETCH_PARTITION, /* to the launcher: another program, see below */
} FetchKind;

typedef enum {
	FETCH_OK, /* an answer of the server, whatever its status */
	FETCH_RESOLVE, /* the name has no address */
	FETCH_REFUSED, /* every address is a special one, or the port is another protocol's */
	FETCH_CONNECT, /* nobody answers there */
	FETCH_NO_NETWORK, /* there is no route to it, and none out of the local networks */
	FETCH_TLS, /* no secure connection: certificate, name or version */
	FETCH_TIMEOUT,
	FETCH_TOO_LARGE, /* body or headers exceed a limit; what was read is there */
	FETCH_PROTOCOL, /* the answer is malformed or ends early; what was read is there */
	FETCH_INVALID, /* the request cannot be made: its URL, a header or a limit */
	FETCH_FAILED, /* tarsier-fetch is missing, ended, or has no memory */
	FETCH_LATE, /* nothing was sent, because it was later than begin_until_ms */
	N_FETCH_ERRORS
} FetchError;

/* A stable name for scripts and logs: "refused-address". */
const char *fetch_error_name(FetchError error);

/* A request. Texts may be NULL, but for the URL. Values of headers are sent byte by byte
 * and hold no control character but a tab. */
typedef struct {
	bool head; /* HEAD instead of GET */
	char *url; /* normalised; http or https; no user name, no fragment */
	char *accept;
	char *if_none_match, *if_modified_since;
	char *authorization; /* "Basic ..." or "Bearer ..." */
	/* "host:port" of a source that was itself added with a local address: addresses of this
	 * machine and of local networks are allowed if the URL has exactly this host and port. */
	char *local;
	char *contact; /* whom the server's people may ask (web_contact_is_valid()) */
	/* Limits before and after decoding, 1 to FETCH_MAX_BODY. The first one may be exceeded by
	 * what is read at a time, some 64 KiB. */
	uint64_t wire_bytes, body_bytes;
	uint32_t header_bytes; /* limit; 1 to FETCH_MAX_HEADERS */
	uint32_t seconds; /* for all together; 1 to FETCH_MAX_SECONDS */
	/* The request is not sent after this moment, by CLOCK_BOOTTIME in milliseconds; 0: it may
	 * be sent at any time. */
	uint64_t begin_until_ms;
} FetchRequest;

/* Frees the texts, not the struct. */
void fetch_request_clear(FetchRequest *request);
/* True if the request may be sent. */
bool fetch_request_is_valid(const FetchRequest *request);

typedef struct {
	FetchError error;
	unsigned status; /* 100 to 999; 0: there was no answer */
	bool truncated; /* the body ends early */
	char *headers; /* the block of the last answer with its status line, as received; not UTF-8;
	                  no NUL byte; may be "" */
	char *address; /* that was connected to, in numbers; "" if none */
	char *detail; /* UTF-8, for people; "" if there is nothing to say */
	uint64_t wire_bytes, body_bytes; /* of the body, before and after decoding */
	uint64_t connect_us, first_byte_us, total_us; /* since the request began */
} FetchAnswer;

/* Frees the texts, not the struct. */
void fetch_answer_clear(FetchAnswer *answer);

/* Each writes one message into the packet, which must be empty. False if it does not fit or may not
 * be sent. */
bool fetch_put_start(WirePacket *packet, const char *certificates);
bool fetch_put_hello(WirePacket *packet, uint32_t level);
bool fetch_put_request(WirePacket *packet, uint32_t serial, const FetchRequest *request);
bool fetch_put_launch(WirePacket *packet);
bool fetch_put_stop(WirePacket *packet);
bool fetch_put_partition(WirePacket *packet);
/* error: why the program did not start, an error number; 0: it ran. status: as waitpid() returns
 * it. */
bool fetch_put_ended(WirePacket *packet, int error, int status);
/* Cuts a detail that is too long. */
bool fetch_put_answer(WirePacket *packet, uint32_t serial, const FetchAnswer *answer);

/* The kind of a message; 0 if the packet is malformed. */
FetchKind fetch_kind(const uint8_t *packet, size_t length);
/* Each reads one message of its kind and checks all of it. False if it is malformed; nothing need
 * be freed then. */
bool fetch_take_start(const uint8_t *packet, size_t length, char **certificates_r);
bool fetch_take_hello(const uint8_t *packet, size_t length, uint32_t *level_r);
bool fetch_take_request(
        const uint8_t *packet, size_t length, uint32_t *serial_r, FetchRequest *request);
bool fetch_take_launch(const uint8_t *packet, size_t length);
bool fetch_take_stop(const uint8_t *packet, size_t length);
bool fetch_take_partition(const uint8_t *packet, size_t length);
bool fetch_take_ended(const uint8_t *packet, size_t length, int *error_r, int *status_r);
bool fetch_take_answer(
        const uint8_t *packet, size_t length, uint32_t *serial_r, FetchAnswer *answer);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - frames between tarsierd (or tarsier) and the sandboxed tarsier-extract
 *
 * The transport is AF_UNIX SOCK_SEQPACKET. A packet is a sequence of frames of at most
 * WIRE_PACKET_BYTES in all. A frame is u8 kind, u8 a, u16 b, u32 length, then length bytes, in host
 * byte order because both ends are on one machine. A text that exceeds one packet is sent as
 * several TEXT frames.
 *
 * There are two kinds of sockets. The control socket connects the daemon with the parent process:
 * HELLO after the start, then FORK requests (the child's end of a new socket pair as SCM_RIGHTS).
 * FORKED (a pidfd as SCM_RIGHTS) answers each, and EXITED follows when the child has ended. A job
 * socket connects the daemon with one child: JOB (the file as SCM_RIGHTS), answered by the frames
 * of each document, then DONE. The bytes of a small file are in its JOB frame, and one packet may
 * have several such frames; they are answered in their order, in as few packets as there may be. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIRE_VERSION = 8, WIRE_PACKET_BYTES = 64 << 10, WIRE_HEADER_BYTES = 8 };

typedef enum {
	/* on the control socket */
	WIRE_HELLO = 1, /* WireHello, then a WIRE_PLUGIN frame for each plugin, then WIRE_READY */
	WIRE_PLUGIN, /* a: 1 = usable, | lane << 1; b: plugin ABI; bytes: u32 version, name NUL
	                library NUL missing NUL mime NUL ... */
	WIRE_READY,
	WIRE_FORK, /* bytes: WireFork, with one fd; a: lane */
	WIRE_FORKED, /* bytes: WireChild, with a pidfd */
	WIRE_EXITED, /* bytes: WireChild */
	/* on the job socket, to the child */
	WIRE_JOB = 32, /* bytes: WireJob, then the name hint, the path of the member that is asked
	                  for, the address and the charset; then the file, or with one fd */
	/* on the job socket, from the child; DOC and END nest for members */
	WIRE_DOC = 64, /* a document begins; bytes: i64 size, i64 mtime_ns, member path (empty: the
	                  file itself) */
	WIRE_TYPE, /* bytes: u32 version, mime NUL plugin name */
	WIRE_FIELD, /* a: DocField; bytes: value */
	WIRE_TEXT, /* a: DocTag; b: flags of DocRun; bytes: text; never splits a UTF-8 sequence */
	WIRE_BREAK, /* a: DocBreakKind; bytes: u32 number, label */
	WIRE_LINK, /* a: DocLinkKind, | flags of DocLink << 4; b: length of href; bytes: href,
	              text */
	WIRE_END, /* a: DocState; b: DocReason, | 0x8000 if truncated; bytes: detail */
	WIRE_ALIVE, /* progress: the job is still running; bytes: u32 number of members started so
	               far */
	WIRE_OTHER_LANE, /* the job ends because a type or a charset in it needs another lane:
	                    submit it there; a: lane; bytes: mime of the type */
	WIRE_DONE, /* the job is complete; a: 1 if slow work was left out; bytes: WireDone */
	WIRE_BYTES, /* the bytes of the member that the job asks for, in order */
	WIRE_PICTURE, /* the picture that a job of JOB_PICTURE asks for, once; bytes: WirePicture,
	                 then red, green and blue of each pixel, by rows from the top */
} WireKind;

/* The purpose of a child: it has no other libraries than the plugins of its lane need. Cheap
 * formats share a child, the others get a child of their own. */
typedef enum {
	LANE_CHEAP,
	LANE_OWN, /* containers and all that needs no lane for itself; has the cheap plugins too */
	LANE_PDF,
	LANE_MEDIA, /* sound and film */
	LANE_IMAGE,
	LANE_VINTAGE, /* documents of old programs */
	LANE_ALL, /* has all plugins: for containers with members of more than one lane */
	N_LANES
} WireLane;

typedef struct {
	uint32_t wire_version, abi;
	uint32_t level; /* SandboxLevel of common/sandbox/converter.h */
	uint32_t plugins;
} WireHello;

typedef struct {
	uint32_t serial; /* chosen by the requester and returned in WireChild */
	uint32_t lane;
	uint64_t memory_bytes; /* address space of the child */
	uint32_t cpu_s;
	uint32_t reserved;
} WireFork;

typedef struct {
	uint32_t serial;
	int32_t pid;
	int32_t status; /* as returned by waitpid(); WIRE_EXITED only */
	uint32_t reserved;
	uint64_t cpu_us; /* WIRE_EXITED only */
} WireChild;

/* The purpose of a conversion. The purposes from JOB_ROBOTS to JOB_FEED choose the plugin without
 * looking at the content: on a disk the same bytes may be plain text. */
typedef enum {
	JOB_FILE, /* a file of a disk */
	JOB_PAGE, /* a page that was fetched from a site */
	JOB_ROBOTS,
	JOB_SITEMAP,
	JOB_FEED,
	JOB_PICTURE, /* a small picture of it, and no text; only programs that draw do it */
	N_JOB_PURPOSES
} JobPurpose;

typedef struct {
	uint32_t job;
	uint32_t skip_member; /* number (from 1) of the member that killed an earlier attempt; 0 if
	                         none */
	uint64_t size; /* size of the file */
	uint64_t text_bytes, unpacked_bytes, memory_bytes;
	uint32_t members, depth, ratio, wall_ms;
	uint32_t name_bytes;
	uint32_t slow; /* 1: include slow work (OCR) */
	uint32_t member_bytes; /* length of the member's path; 0: convert everything */
	uint32_t purpose; /* JobPurpose */
	uint32_t url_bytes; /* length of the address that the file was fetched from; 0: none */
	uint32_t charset_bytes; /* length of the charset that the server declared; 0: none */
	uint32_t enclosed; /* 1: the bytes of the file follow in the frame; 0: a descriptor comes */
	uint32_t reserved;
} WireJob;

/* The largest file whose bytes may be enclosed in its job. With all that may be beside it, it fits
 * into a packet. */
enum { WIRE_ENCLOSED_BYTES = 32 << 10 };

typedef struct {
	uint32_t job;
	uint32_t documents;
	uint64_t cpu_us; /* used by this job only */
} WireDone;

/* Width and height in pixels, 1 to WIRE_PICTURE_SIDE each: a picture fits into a packet. */
typedef struct {
	uint32_t width, height;
} WirePicture;

enum { WIRE_PICTURE_SIDE = 128, WIRE_PIXEL_BYTES = 3 };

/* Exit statuses of tarsier-extract and its children for causes that a signal cannot express. */
enum {
	WIRE_EXIT_SANDBOX = 96, /* the sandbox could not be set up, or failed its self-test */
	WIRE_EXIT_MEMORY, /* the address space ran out */
	WIRE_EXIT_INPUT, /* the file shrank while it was read */
};

/* A packet under construction. used must be 0 at first. */
typedef struct {
	size_t used;
	uint8_t bytes[WIRE_PACKET_BYTES];
} WirePacket;

typedef struct {
	WireKind kind;
	uint8_t a;
	uint16_t b;
	uint32_t length;
	const uint8_t *bytes; /* point into the packet */
} WireFrame;

/* Appends a frame whose payload is head and tail. False if it does not fit: send the packet
 * first. */
bool wire_put(WirePacket *packet, WireKind kind, unsigned a, unsigned b, const void *head,
        size_t head_length, const void *tail, size_t tail_length);

/* Takes the next frame of a received packet from *position on. Returns 1 and fills frame; 0 at the
 * end; -1 if the packet is malformed. Checks the framing only, never the payload. */
int wire_next(const uint8_t *packet, size_t length, size_t *position, WireFrame *frame);

/* Sends a packet and empties it. fd: a descriptor to pass along, -1 for none. Waits on EAGAIN.
 * False with errno. */
bool wire_send(int socket_fd, WirePacket *packet, int fd);
/* As wire_send(), without waiting. 1: sent; 0: there is no room now, and the packet is kept; -1
 * with errno. */
int wire_send_now(int socket_fd, WirePacket *packet, int fd);

/* Receives one packet into buffer, which has WIRE_PACKET_BYTES. Returns its length, 0 at end of
 * file, -1 with errno (EAGAIN: nothing to read; EMSGSIZE: the packet or its ancillary data was
 * truncated). *fd_r: a received close-on-exec descriptor that the caller closes, or -1. */
ssize_t wire_receive(int socket_fd, uint8_t *buffer, int *fd_r);

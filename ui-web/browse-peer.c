/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-peer.h"
#include <arpa/inet.h>
#include <errno.h>
#include <glib.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { ESTABLISHED = 1, LINE_BYTES = 512, END_BYTES = 64, ANSWER_BYTES = 1024, ANSWER_MS = 2000 };

/* ---- the list */

/* "0100007F:1F90": the kernel prints addresses as the words that they are in memory. */
static void peer_write_end(char *out, const struct sockaddr_in *end, bool mapped)
{
	unsigned port = ntohs(end->sin_port);
	if (mapped)
		g_snprintf(out, END_BYTES, "%08X%08X%08X%08X:%04X", 0u, 0u, htonl(0xffff),
		        end->sin_addr.s_addr, port);
	else
		g_snprintf(out, END_BYTES, "%08X:%04X", end->sin_addr.s_addr, port);
}

/* Is the line the row of this socket? */
static bool peer_line_is(const char *line, const char *local, const char *remote, uid_t *uid_r)
{
	char here[END_BYTES], there[END_BYTES];
	unsigned state, uid;
	if (sscanf(line, " %*u: %63s %63s %x %*s %*s %*s %u", here, there, &state, &uid) != 4 ||
	        state != ESTABLISHED || strcmp(here, local) != 0 || strcmp(there, remote) != 0)
		return false;
	*uid_r = uid;
	return true;
}

static bool peer_find(const char *list, const char *local, const char *remote, uid_t *uid_r)
{
	char line[LINE_BYTES];
	bool found = false;
	FILE *file = fopen(list, "re");
	while (file && !found && fgets(line, sizeof line, file))
		found = peer_line_is(line, local, remote, uid_r);
	if (file)
		fclose(file);
	return found;
}

static bool peer_find_in_lists(
        const struct sockaddr_in *peer, const struct sockaddr_in *own, uid_t *uid_r)
{
	static const char *const lists[] = {"/proc/net/tcp", "/proc/net/tcp6"};
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		char local[END_BYTES], remote[END_BYTES];
		peer_write_end(local, peer, i == 1);
		peer_write_end(remote, own, i == 1);
		if (peer_find(lists[i], local, remote, uid_r))
			return true;
	}
	return false;
}

/* ---- the question */

typedef enum { PEER_FOUND, PEER_NONE, PEER_UNKNOWN } PeerAnswer;

int browse_peer_open(void)
{
	const struct timeval wait = {.tv_sec = ANSWER_MS / 1000};
	int peers = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (peers >= 0)
		setsockopt(peers, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	return peers;
}

static bool peer_ask(
        int peers, uint32_t serial, const struct sockaddr_in *peer, const struct sockaddr_in *own)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 body;
	} question = {.head = {.nlmsg_len = sizeof question,
	                      .nlmsg_type = SOCK_DIAG_BY_FAMILY,
	                      .nlmsg_flags = NLM_F_REQUEST,
	                      .nlmsg_seq = serial},
	        .body = {.sdiag_family = AF_INET,
	                .sdiag_protocol = IPPROTO_TCP,
	                .idiag_states = 1 << ESTABLISHED,
	                .id = {.idiag_sport = peer->sin_port,
	                        .idiag_dport = own->sin_port,
	                        .idiag_src = {peer->sin_addr.s_addr},
	                        .idiag_dst = {own->sin_addr.s_addr},
	                        .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
	return send(peers, &question, sizeof question, 0) == sizeof question;
}

/* The user of a connection that is being closed may be forgotten, and then is 0. */
static PeerAnswer peer_read(const struct nlmsghdr *head, uid_t *uid_r)
{
	const struct inet_diag_msg *body = NLMSG_DATA(head);
	const struct nlmsgerr *failure = NLMSG_DATA(head);
	if (head->nlmsg_type == NLMSG_ERROR && head->nlmsg_len >= NLMSG_LENGTH(sizeof *failure))
		return failure->error == -ENOENT ? PEER_NONE : PEER_UNKNOWN;
	if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY || head->nlmsg_len < NLMSG_LENGTH(sizeof *body))
		return PEER_UNKNOWN;
	*uid_r = body->idiag_uid;
	return body->idiag_state == ESTABLISHED ? PEER_FOUND : PEER_NONE;
}

/* An answer that came too late for an earlier question is passed over. */
static PeerAnswer peer_hear(int peers, uint32_t serial, uid_t *uid_r)
{
	union {
		struct nlmsghdr head;
		char bytes[ANSWER_BYTES];
	} answer;
	for (;;) {
		ssize_t length = recv(peers, &answer, sizeof answer, 0);
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0 || !NLMSG_OK(&answer.head, (size_t)length))
			return PEER_UNKNOWN;
		if (answer.head.nlmsg_seq == serial)
			return peer_read(&answer.head, uid_r);
	}
}

/* The list may lack a row while others change; so it is read twice. */
bool browse_peer_uid(
        int peers, const struct sockaddr_in *peer, const struct sockaddr_in *own, uid_t *uid_r)
{
	static gint serials;
	uint32_t serial = (uint32_t)g_atomic_int_add(&serials, 1) + 1;
	PeerAnswer answer = peers >= 0 && peer_ask(peers, serial, peer, own)
	                            ? peer_hear(peers, serial, uid_r)
	                            : PEER_UNKNOWN;
	return answer == PEER_UNKNOWN ? peer_find_in_lists(peer, own, uid_r) ||
	                                        peer_find_in_lists(peer, own, uid_r)
	                              : answer == PEER_FOUND;
}

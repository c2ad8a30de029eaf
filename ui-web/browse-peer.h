/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-peer.h - which user of this machine has the other end of a connection
 *
 * The kernel tells it for one connection (sock_diag(7), as ss(8) asks), whatever others are open;
 * where it has no such interface, from the list of all of them (proc(5), /proc/net/tcp). */
#pragma once
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/types.h>

/* A socket for browse_peer_uid(), which the caller closes; -1: the lists must do. */
int browse_peer_open(void);
/* peer: the address that the connection comes from, own: that of this end, which is on this
 * machine. False: there is no such connection, or it is being closed. */
bool browse_peer_uid(
        int peers, const struct sockaddr_in *peer, const struct sockaddr_in *own, uid_t *uid_r);

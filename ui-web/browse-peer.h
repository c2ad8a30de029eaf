/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-peer.h - which user has the other end of a connection to the loopback address
 *
 * The kernel lists all TCP sockets of this network with their owners (proc(5), /proc/net/tcp). The
 * other end of a local connection is one of them. */
#pragma once
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/types.h>

/* peer: the address of the other end, own: of this one. False if there is no such established
 * connection, as when the other end has been closed, or if the list cannot be read. A socket for
 * IPv6 that is connected to an address of IPv4 is found too. */
bool browse_peer_uid(const struct sockaddr_in *peer, const struct sockaddr_in *own, uid_t *uid_r);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* address.h - where tarsier-fetch may connect to
 *
 * A name of the network may resolve to anything, and to something else at the next request. So the
 * address is judged when the connection is made, and again before a request is sent on a connection
 * that is there already. The tables are the registries of special-purpose addresses of IANA (RFC
 * 6890 and what was added since), and the addresses at which clouds hand out secrets. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

typedef enum {
	ADDRESS_GLOBAL, /* a host of the internet */
	ADDRESS_LOCAL, /* this machine or a local network: for a source that was added so */
	ADDRESS_NEVER, /* nothing to read there: reserved, multicast, a translation, cloud metadata
	                */
} AddressKind;

/* Families other than IPv4 and IPv6 are ADDRESS_NEVER. */
AddressKind address_kind(const struct sockaddr *address, socklen_t length);
/* The same for an address in numbers, without brackets; what is none is ADDRESS_NEVER. */
AddressKind address_kind_of_text(const char *address);
/* True if the port belongs to another protocol, which a hostile link could have us talk to. Source:
 * "bad port" of the WHATWG Fetch Standard. */
bool address_port_is_refused(long port);

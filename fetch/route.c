/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/route.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>

static bool route_errno_is_none(int error)
{
	return error == ENETUNREACH || error == EHOSTUNREACH || error == ENETDOWN ||
	       error == EADDRNOTAVAIL;
}

/* Connecting a datagram socket looks up the route. The port does not matter. */
bool route_leads_to(const char *address)
{
	const struct addrinfo hints = {
	        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_DGRAM};
	struct addrinfo *to = NULL;
	if (getaddrinfo(address, "9", &hints, &to) != 0)
		return true;
	autofd fd = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool leads = fd < 0 ? errno != EAFNOSUPPORT
	                    : connect(fd, to->ai_addr, to->ai_addrlen) == 0 ||
	                              !route_errno_is_none(errno);
	freeaddrinfo(to);
	return leads;
}

/* Addresses for documentation take the default route, as those of the internet do. */
bool route_leads_out(void)
{
	return route_leads_to("192.0.2.1") || route_leads_to("2001:db8::1");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* route.h - whether this machine has a way to an address
 *
 * The kernel is asked for a route, and nothing is sent. Where there is none, the network is away,
 * which is not a fault of the host that was to be asked. */
#pragma once
#include <stdbool.h>

/* address: in numbers, without brackets. True also if that cannot be told. */
bool route_leads_to(const char *address);
/* Is there a way out of the local networks, by IPv4 or IPv6? */
bool route_leads_out(void);

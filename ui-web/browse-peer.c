/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-peer.h"
#include <arpa/inet.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { ESTABLISHED = 1, LINE_BYTES = 512, END_BYTES = 64 };

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

bool browse_peer_uid(const struct sockaddr_in *peer, const struct sockaddr_in *own, uid_t *uid_r)
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

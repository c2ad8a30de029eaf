/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/address.h"
#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>
#include <string.h>

/* The first bits of an address. The first row that fits decides. */
typedef struct {
	uint8_t bytes[16];
	uint8_t bits;
	AddressKind kind;
} Prefix;

static const Prefix ipv4_prefixes[] = {
        {{169, 254, 169, 254}, 32, ADDRESS_NEVER}, /* metadata of clouds */
        {{169, 254, 170, 0}, 24, ADDRESS_NEVER}, /* credentials of containers in clouds */
        {{100, 100, 100, 200}, 32, ADDRESS_NEVER}, /* metadata of clouds */
        {{0}, 8, ADDRESS_NEVER}, /* this network; 0.0.0.0 means this machine */
        {{10}, 8, ADDRESS_LOCAL},
        {{100, 64}, 10, ADDRESS_LOCAL}, /* shared by customers of a provider */
        {{127}, 8, ADDRESS_LOCAL},
        {{169, 254}, 16, ADDRESS_LOCAL}, /* link-local */
        {{172, 16}, 12, ADDRESS_LOCAL},
        {{192, 0, 0}, 24, ADDRESS_NEVER}, /* protocol assignments */
        {{192, 0, 2}, 24, ADDRESS_NEVER}, /* documentation */
        {{192, 31, 196}, 24, ADDRESS_NEVER}, /* AS112 */
        {{192, 52, 193}, 24, ADDRESS_NEVER}, /* AMT */
        {{192, 88, 99}, 24, ADDRESS_NEVER}, /* 6to4 relays */
        {{192, 168}, 16, ADDRESS_LOCAL},
        {{192, 175, 48}, 24, ADDRESS_NEVER}, /* AS112 */
        {{198, 18}, 15, ADDRESS_NEVER}, /* benchmarks */
        {{198, 51, 100}, 24, ADDRESS_NEVER}, /* documentation */
        {{203, 0, 113}, 24, ADDRESS_NEVER}, /* documentation */
        {{224}, 4, ADDRESS_NEVER}, /* multicast */
        {{240}, 4, ADDRESS_NEVER}, /* reserved; broadcast */
        {{0}, 0, ADDRESS_GLOBAL},
};

/* Only 2000::/3 is given out. Addresses outside of it that are not local are never connected to:
 * mapped, compatible and translated IPv4 (::/96, ::ffff:0:0/96, ::ffff:0:0:0/96, 64:ff9b::/96),
 * site-local, multicast, discarded, segment routing. */
static const Prefix ipv6_prefixes[] = {
        {{0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54}, 128, ADDRESS_NEVER},
        {{0xfd, 0x20, 0, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54}, 128, ADDRESS_NEVER},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, ADDRESS_LOCAL}, /* loopback */
        {{0xfc}, 7, ADDRESS_LOCAL}, /* unique local */
        {{0xfe, 0x80}, 10, ADDRESS_LOCAL}, /* link-local */
        {{0x20, 0x01, 0x00}, 23, ADDRESS_NEVER}, /* protocol assignments: Teredo and others */
        {{0x20, 0x01, 0x0d, 0xb8}, 32, ADDRESS_NEVER}, /* documentation */
        {{0x20, 0x02}, 16, ADDRESS_NEVER}, /* 6to4 */
        {{0x26, 0x20, 0x00, 0x4f, 0x80, 0x00}, 48, ADDRESS_NEVER}, /* AS112 */
        {{0x3f, 0xff, 0x00}, 20, ADDRESS_NEVER}, /* documentation */
        {{0x3f, 0xfe}, 16, ADDRESS_NEVER}, /* the former 6bone */
        {{0x20}, 3, ADDRESS_GLOBAL},
        {{0}, 0, ADDRESS_NEVER},
};

static bool prefix_fits(const Prefix *prefix, const uint8_t *address)
{
	unsigned whole = prefix->bits / 8, rest = prefix->bits % 8;
	uint8_t mask = 0xff << (8 - rest);
	return memcmp(prefix->bytes, address, whole) == 0 &&
	       (rest == 0 || ((prefix->bytes[whole] ^ address[whole]) & mask) == 0);
}

static AddressKind prefix_lookup(const Prefix *prefixes, const uint8_t *address)
{
	while (!prefix_fits(prefixes, address))
		prefixes++;
	return prefixes->kind;
}

AddressKind address_kind(const struct sockaddr *address, socklen_t length)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	if (length >= sizeof v4 && address->sa_family == AF_INET) {
		memcpy(&v4, address, sizeof v4);
		return prefix_lookup(ipv4_prefixes, (const uint8_t *)&v4.sin_addr);
	}
	if (length >= sizeof v6 && address->sa_family == AF_INET6) {
		memcpy(&v6, address, sizeof v6);
		return prefix_lookup(ipv6_prefixes, (const uint8_t *)&v6.sin6_addr);
	}
	return ADDRESS_NEVER;
}

AddressKind address_kind_of_text(const char *address)
{
	uint8_t bytes[sizeof(struct in6_addr)];
	g_autofree char *plain = g_strndup(address, strcspn(address, "%")); /* without the zone */
	if (inet_pton(AF_INET, plain, bytes) == 1)
		return prefix_lookup(ipv4_prefixes, bytes);
	if (inet_pton(AF_INET6, plain, bytes) == 1)
		return prefix_lookup(ipv6_prefixes, bytes);
	return ADDRESS_NEVER;
}

bool address_port_is_refused(long port)
{
	static const uint16_t refused[] = {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37,
	        42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
	        119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
	        531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720,
	        1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
	        6679, 6697, 10080};
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++)
		if (port == refused[i])
			return true;
	return port < 0 || port > UINT16_MAX;
}

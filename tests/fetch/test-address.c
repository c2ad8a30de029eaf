/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which addresses and ports are never asked. */
#include <config.h>
#include "fetch/address.h"
#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

/* The first and the last address of each block, and their neighbours outside where those are of
 * another kind. */
typedef struct {
	const char *address;
	AddressKind kind;
} Case;

static const Case cases[] = {
        {"0.0.0.0", ADDRESS_NEVER},
        {"0.255.255.255", ADDRESS_NEVER},
        {"1.0.0.0", ADDRESS_GLOBAL},
        {"9.255.255.255", ADDRESS_GLOBAL},
        {"10.0.0.0", ADDRESS_LOCAL},
        {"10.255.255.255", ADDRESS_LOCAL},
        {"11.0.0.0", ADDRESS_GLOBAL},
        {"100.63.255.255", ADDRESS_GLOBAL},
        {"100.64.0.0", ADDRESS_LOCAL},
        {"100.100.100.200", ADDRESS_NEVER},
        {"100.127.255.255", ADDRESS_LOCAL},
        {"100.128.0.0", ADDRESS_GLOBAL},
        {"126.255.255.255", ADDRESS_GLOBAL},
        {"127.0.0.0", ADDRESS_LOCAL},
        {"127.0.0.1", ADDRESS_LOCAL},
        {"127.255.255.255", ADDRESS_LOCAL},
        {"128.0.0.0", ADDRESS_GLOBAL},
        {"169.253.255.255", ADDRESS_GLOBAL},
        {"169.254.0.0", ADDRESS_LOCAL},
        {"169.254.169.253", ADDRESS_LOCAL},
        {"169.254.169.254", ADDRESS_NEVER},
        {"169.254.170.2", ADDRESS_NEVER},
        {"169.254.255.255", ADDRESS_LOCAL},
        {"169.255.0.0", ADDRESS_GLOBAL},
        {"172.15.255.255", ADDRESS_GLOBAL},
        {"172.16.0.0", ADDRESS_LOCAL},
        {"172.31.255.255", ADDRESS_LOCAL},
        {"172.32.0.0", ADDRESS_GLOBAL},
        {"191.255.255.255", ADDRESS_GLOBAL},
        {"192.0.0.0", ADDRESS_NEVER},
        {"192.0.0.255", ADDRESS_NEVER},
        {"192.0.1.0", ADDRESS_GLOBAL},
        {"192.0.2.0", ADDRESS_NEVER},
        {"192.0.2.255", ADDRESS_NEVER},
        {"192.0.3.0", ADDRESS_GLOBAL},
        {"192.31.196.1", ADDRESS_NEVER},
        {"192.52.193.1", ADDRESS_NEVER},
        {"192.88.98.255", ADDRESS_GLOBAL},
        {"192.88.99.0", ADDRESS_NEVER},
        {"192.88.100.0", ADDRESS_GLOBAL},
        {"192.167.255.255", ADDRESS_GLOBAL},
        {"192.168.0.0", ADDRESS_LOCAL},
        {"192.168.255.255", ADDRESS_LOCAL},
        {"192.169.0.0", ADDRESS_GLOBAL},
        {"192.175.48.6", ADDRESS_NEVER},
        {"198.17.255.255", ADDRESS_GLOBAL},
        {"198.18.0.0", ADDRESS_NEVER},
        {"198.19.255.255", ADDRESS_NEVER},
        {"198.20.0.0", ADDRESS_GLOBAL},
        {"198.51.99.255", ADDRESS_GLOBAL},
        {"198.51.100.0", ADDRESS_NEVER},
        {"198.51.101.0", ADDRESS_GLOBAL},
        {"203.0.112.255", ADDRESS_GLOBAL},
        {"203.0.113.0", ADDRESS_NEVER},
        {"203.0.114.0", ADDRESS_GLOBAL},
        {"223.255.255.255", ADDRESS_GLOBAL},
        {"224.0.0.0", ADDRESS_NEVER},
        {"239.255.255.255", ADDRESS_NEVER},
        {"240.0.0.0", ADDRESS_NEVER},
        {"255.255.255.255", ADDRESS_NEVER},
        {"::", ADDRESS_NEVER},
        {"::1", ADDRESS_LOCAL},
        {"::2", ADDRESS_NEVER},
        {"::8.8.8.8", ADDRESS_NEVER},
        {"::127.0.0.1", ADDRESS_NEVER},
        {"::ffff:127.0.0.1", ADDRESS_NEVER},
        {"::ffff:8.8.8.8", ADDRESS_NEVER},
        {"::ffff:0:127.0.0.1", ADDRESS_NEVER},
        {"64:ff9b::7f00:1", ADDRESS_NEVER},
        {"64:ff9b:1::1", ADDRESS_NEVER},
        {"100::1", ADDRESS_NEVER},
        {"100:0:0:1::1", ADDRESS_NEVER},
        {"1fff:ffff::1", ADDRESS_NEVER},
        {"2000::1", ADDRESS_GLOBAL},
        {"2001::1", ADDRESS_NEVER},
        {"2001:0:7f00:1::", ADDRESS_NEVER},
        {"2001:2::1", ADDRESS_NEVER},
        {"2001:10::1", ADDRESS_NEVER},
        {"2001:20::1", ADDRESS_NEVER},
        {"2001:30::1", ADDRESS_NEVER},
        {"2001:1ff:ffff::1", ADDRESS_NEVER},
        {"2001:200::1", ADDRESS_GLOBAL},
        {"2001:db7:ffff::1", ADDRESS_GLOBAL},
        {"2001:db8::1", ADDRESS_NEVER},
        {"2001:db8:ffff::1", ADDRESS_NEVER},
        {"2001:db9::1", ADDRESS_GLOBAL},
        {"2002:7f00:1::1", ADDRESS_NEVER},
        {"2003::1", ADDRESS_GLOBAL},
        {"2606:4700::1111", ADDRESS_GLOBAL},
        {"2620:4f:8000::1", ADDRESS_NEVER},
        {"2620:4f:8001::1", ADDRESS_GLOBAL},
        {"3ffe::1", ADDRESS_NEVER},
        {"3fff::1", ADDRESS_NEVER},
        {"3fff:fff::1", ADDRESS_NEVER},
        {"3fff:1000::1", ADDRESS_GLOBAL},
        {"4000::1", ADDRESS_NEVER},
        {"5f00::1", ADDRESS_NEVER},
        {"fbff::1", ADDRESS_NEVER},
        {"fc00::1", ADDRESS_LOCAL},
        {"fd00:ec2::254", ADDRESS_NEVER},
        {"fd20:ce::254", ADDRESS_NEVER},
        {"fdff:ffff::1", ADDRESS_LOCAL},
        {"fe00::1", ADDRESS_NEVER},
        {"fe80::1", ADDRESS_LOCAL},
        {"febf::1", ADDRESS_LOCAL},
        {"fec0::1", ADDRESS_NEVER},
        {"ff02::1", ADDRESS_NEVER},
};

static AddressKind kind_of_socket_address(const char *address)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
	if (inet_pton(AF_INET, address, &v4.sin_addr) == 1)
		return address_kind((struct sockaddr *)&v4, sizeof v4);
	g_assert_cmpint(inet_pton(AF_INET6, address, &v6.sin6_addr), ==, 1);
	return address_kind((struct sockaddr *)&v6, sizeof v6);
}

static void test_kinds(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const Case *c = &cases[i];
		if (kind_of_socket_address(c->address) != c->kind ||
		        address_kind_of_text(c->address) != c->kind)
			g_error("%s: %d and %d instead of %d", c->address,
			        kind_of_socket_address(c->address),
			        address_kind_of_text(c->address), c->kind);
	}
}

static void test_malformed(void)
{
	static const char *const malformed[] = {"", "localhost", "127.1", "0x7f000001", "8.8.8.8 ",
	        "[::1]", "1.2.3.4.5", "8.8.8.8:80"};
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x08080808)};
	const struct sockaddr local = {.sa_family = AF_UNIX};
	for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++)
		g_assert_cmpint(address_kind_of_text(malformed[i]), ==, ADDRESS_NEVER);
	g_assert_cmpint(address_kind((struct sockaddr *)&v4, sizeof v4), ==, ADDRESS_GLOBAL);
	g_assert_cmpint(address_kind((struct sockaddr *)&v4, sizeof v4 - 1), ==, ADDRESS_NEVER);
	g_assert_cmpint(address_kind(&local, sizeof local), ==, ADDRESS_NEVER);
}

static void test_zone(void)
{
	g_assert_cmpint(address_kind_of_text("fe80::1%eth0"), ==, ADDRESS_LOCAL);
	g_assert_cmpint(address_kind_of_text("ff02::1%eth0"), ==, ADDRESS_NEVER);
}

static void test_ports(void)
{
	static const long refused[] = {-1, 0, 1, 21, 22, 23, 25, 53, 110, 143, 465, 587, 993, 995,
	        2049, 5060, 6000, 6667, 10080, 65536};
	static const long allowed[] = {80, 81, 443, 3000, 5000, 8000, 8080, 8443, 9200, 65535};
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++)
		g_assert_true(address_port_is_refused(refused[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(allowed); i++)
		g_assert_false(address_port_is_refused(allowed[i]));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/address/kinds", test_kinds);
	g_test_add_func("/address/malformed", test_malformed);
	g_test_add_func("/address/zone", test_zone);
	g_test_add_func("/address/ports", test_ports);
	return g_test_run();
}

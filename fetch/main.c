/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - tarsier-fetch: asks the network for tarsierd and tarsier, confined */
#include <config.h>
#include "common/ipc/fetch-wire.h"
#include "common/sandbox/converter.h"
#include "fetch/fetch-sandbox.h"
#include "fetch/serve.h"
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CONTROL_FD = 3 };

static void fetch_print_usage(FILE *stream)
{
	fputs("Usage: tarsier-fetch --version | --help | --probe | --probe-unconfined\n"
	      "It is started by tarsierd and tarsier, which tell it what to ask for.\n"
	      "--probe tries what its sandbox must refuse, and fails if anything is possible;\n"
	      "--probe-unconfined tries the same without the sandbox.\n",
	        stream);
}

static bool fetch_load(void)
{
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return false;
	fetch_sandbox_load_names();
	/* a handle of each kind loads what libcurl needs late */
	CURL *easy = curl_easy_init();
	CURLM *multi = curl_multi_init();
	bool loaded = easy && multi;
	curl_multi_cleanup(multi);
	curl_easy_cleanup(easy);
	return loaded;
}

static bool fetch_sandbox_holds(void)
{
	for (const FetchProbe *probe = fetch_sandbox_probes(); probe->name; probe++)
		if (probe->try())
			return false;
	return true;
}

/* Returns the exit status: 1 if anything was possible. */
static int fetch_print_probes(bool confined)
{
	bool possible = false;
	fetch_sandbox_harden(CONTROL_FD);
	if (!fetch_load())
		return 1;
	if (confined && !fetch_sandbox_enter(NULL)) {
		fputs("tarsier-fetch: no sandbox is available\n", stderr);
		return WIRE_EXIT_SANDBOX;
	}
	for (const FetchProbe *probe = fetch_sandbox_probes(); probe->name; probe++) {
		bool was_possible = probe->try();
		possible = possible || was_possible;
		printf("%s %s\n", was_possible ? "possible" : "refused", probe->name);
		fflush(stdout);
	}
	return possible;
}

static void fetch_silence(void)
{
#ifndef __SANITIZE_ADDRESS__
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
#endif
}

/* The first message. False if the other end is not a client of this version. */
static bool fetch_receive_start(char **certificates_r)
{
	g_autofree uint8_t *packet = g_malloc(WIRE_PACKET_BYTES);
	int fd;
	ssize_t length = wire_receive(CONTROL_FD, packet, &fd);
	if (fd >= 0)
		close(fd);
	return length > 0 && fd < 0 && fetch_take_start(packet, length, certificates_r);
}

static int fetch_main_serve(void)
{
	char *certificates = NULL;
	g_autofree WirePacket *hello = g_new0(WirePacket, 1);
	fetch_sandbox_harden(CONTROL_FD + 1);
	if (!fetch_receive_start(&certificates)) {
		fetch_print_usage(stderr);
		return 2;
	}
	fetch_silence();
	if (!fetch_load())
		return 1;
	if (!fetch_sandbox_enter(certificates) || !fetch_sandbox_holds())
		return WIRE_EXIT_SANDBOX;
	if (!fetch_put_hello(hello, SANDBOX_FULL) || !wire_send(CONTROL_FD, hello, -1))
		return 1;
	return serve(CONTROL_FD, certificates);
}

int main(int argc, char **argv)
{
	const char *option = argc == 2 ? argv[1] : "";
	if (argc == 1)
		_exit(fetch_main_serve()); /* without what libraries do at the end */
	if (strcmp(option, "--probe") == 0 || strcmp(option, "--probe-unconfined") == 0)
		_exit(fetch_print_probes(strcmp(option, "--probe") == 0));
	if (strcmp(option, "--version") == 0) {
		printf("tarsier-fetch (Tarsier) %s, %s\n", PACKAGE_VERSION, curl_version());
		return 0;
	}
	fetch_print_usage(strcmp(option, "--help") == 0 ? stdout : stderr);
	return strcmp(option, "--help") == 0 ? 0 : 2;
}

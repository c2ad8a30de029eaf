/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extract-host.h - the running tarsier-extract, seen from the converter: start, greeting, forking,
 * end */
#pragma once
#include "common/sandbox/converter.h"

typedef struct Host Host;

/* What it greeted with. */
void converter_info_free(ConverterInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ConverterInfo, converter_info_free)

/* Where the program is, and its plugins; see converter_start(). The first is yours. */
char *host_program(void);
const char *host_plugin_directory(void);

/* Starts the program and waits for its greeting, at most 10 s. only: names of the plugins to load,
 * NULL all. elsewhere: types that other plugins convert, so that their jobs come back with
 * WIRE_OTHER_LANE; "*": whatever these cannot; may be NULL. *info_r is yours. */
Host *host_start(const ConverterOptions *options, char **only, char **elsewhere,
        ConverterInfo **info_r, GError **error);
/* Kills it and thereby its children, and reaps it. */
void host_free(Host *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Host, host_free)

/* To be watched for reading; belongs to the host. */
int host_fd(const Host *host);

/* Asks for a child that gets child_fd (not taken over). False: the program is gone. */
bool host_fork(Host *host, const WireFork *wanted, int child_fd);

typedef struct {
	WireKind kind; /* WIRE_FORKED or WIRE_EXITED */
	WireChild child;
	int pidfd; /* of WIRE_FORKED, yours; else -1 */
} HostNews;

/* 1: news; 0: nothing more now; -1: the program is gone or talks nonsense. */
int host_next(Host *host, HostNews *news);

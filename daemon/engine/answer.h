/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - answers of the engine's thread to requests of the main thread */
#pragma once
#include <glib.h>
#include <stdint.h>

/* Called in the main loop with the answer. error: NULL if the request succeeded; n: the number that
 * the request asks for. */
typedef void (*EngineReply)(uint64_t n, const GError *error, void *data);

/* Makes the main loop call reply later. error is copied. reply NULL: no client waits. Can be called
 * from any thread. */
void answer_post(EngineReply reply, void *data, uint64_t n, const GError *error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - answers of the engine's thread to requests of the main thread */
#pragma once
#include <glib.h>
#include <stdint.h>

/* Called in the main loop when the answer is there. error: NULL if the request succeeded; n: the
 * number that was asked for. */
typedef void (*EngineReply)(uint64_t n, const GError *error, void *data);

/* Calls reply in the main loop, later. error is copied. reply NULL: nobody asked. Any thread. */
void answer_post(EngineReply reply, void *data, uint64_t n, const GError *error);

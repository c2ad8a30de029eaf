/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine-consumer.h - what somebody tells who follows the changes (index/write/writer-changes.h) */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum { CONSUMER_REACHED, CONSUMER_FAILS, CONSUMER_FORGET } ConsumerMessage;

typedef struct {
	ConsumerMessage message;
	char *name, *failure; /* failure: of CONSUMER_FAILS */
	int64_t seq, exposure_ms;
	bool rereads;
} EngineConsumer;

void engine_consumer_free(EngineConsumer *consumer); /* NULL is allowed */

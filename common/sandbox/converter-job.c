/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/converter-private.h"
#include "common/sandbox/lane.h"
#include <limits.h>
#include <string.h>

enum {
	CHEAP_BYTES = 32 << 20, /* larger files get a child of their own */
	CHARSET_BYTES = 64, /* longer names are cut, and so unknown */
	FREE_BYTES = 10 << 20, /* the time limit is meant for files up to this size */
	SLOW_TIMES = 10, /* so often the time limit is that of a slow job */
};

char *converter_file_scope(unsigned uid, const char *root, const char *relative)
{
	const char *slash = strchr(relative, '/');
	int length = slash ? slash - relative : 0;
	return g_strdup_printf("%u %s/%.*s", uid, root, length, relative);
}

ConversionJob *job_new(const ConvertRequest *request, const ConvertCallbacks *callbacks, void *data)
{
	ConversionJob *job = g_new0(ConversionJob, 1);
	job->fd = request->fd;
	job->bytes = request->bytes ? g_bytes_ref(request->bytes) : NULL;
	job->size = request->size;
	job->name = g_strndup(request->name ? request->name : "", NAME_MAX);
	job->scope = g_strdup(request->scope ? request->scope : "");
	job->member = g_strdup(request->member);
	job->purpose = request->purpose;
	job->url = g_strdup(
	        request->url && strlen(request->url) <= CONVERT_MAX_URL ? request->url : "");
	job->charset = g_strndup(request->charset ? request->charset : "", CHARSET_BYTES);
	job->limits = request->limits;
	job->limits.wall_ms *= request->slow ? SLOW_TIMES : 1;
	job->slow = request->slow;
	job->urgent = request->urgent;
	job->queued_us = g_get_monotonic_time();
	job->callbacks = *callbacks;
	job->data = data;
	/* the name of what the purpose chooses the plugin for may be any */
	bool by_purpose = job->purpose >= JOB_ROBOTS && job->purpose <= JOB_FEED;
	WireLane lane = by_purpose ? LANE_CHEAP : lane_by_name(job->name);
	job_set_lane(job, lane == LANE_CHEAP && job->size > CHEAP_BYTES ? LANE_OWN : lane);
	return job;
}

void job_set_lane(ConversionJob *job, WireLane lane)
{
	job->lane = lane;
	job->memory_bytes = lane_memory(lane, job->name, job->size, &job->limits);
}

void job_free(ConversionJob *job)
{
	if (job->fd >= 0)
		close(job->fd);
	g_clear_pointer(&job->bytes, g_bytes_unref);
	g_free(job->name);
	g_free(job->scope);
	g_free(job->member);
	g_free(job->url);
	g_free(job->charset);
	g_free(job->detail);
	g_free(job->mime);
	g_free(job);
}

unsigned job_wall_ms(const ConversionJob *job)
{
	uint64_t more_ms = job->size > FREE_BYTES ? ((job->size - FREE_BYTES) >> 20) * 1000 : 0;
	return job->limits.wall_ms + MIN(more_ms, job->limits.wall_ms);
}

void job_take_document(ConversionJob *job, Document *doc)
{
	job->delivered++;
	if (!doc->member) {
		job->state = doc->state;
		job->reason = doc->reason;
		job->detail = g_strdup(doc->detail);
		job->mime = g_strdup(doc->mime);
		job->version = doc->version;
		job->extractor = g_intern_string(doc->extractor);
	}
	job->callbacks.document(doc, job->data);
}

static void converter_job_finish(ConversionJob *job, ConvertResult *result)
{
	if (job->urgent)
		g_debug("converter: %s is done", job->name);
	result->mime = job->mime;
	result->extractor = job->extractor;
	result->version = job->version;
	result->documents = job->delivered;
	job->callbacks.done(result, job->data);
	job_free(job);
}

void job_finish(ConversionJob *job, const WireDone *done, bool left_out)
{
	ConvertResult result = {.state = job->state,
	        .reason = job->reason,
	        .detail = job->detail,
	        .cpu_us = done->cpu_us,
	        .left_out = left_out};
	converter_job_finish(job, &result);
}

void job_give_up(ConversionJob *job)
{
	ConvertResult result = {.state = STATE_FAILED, .given_up = true};
	converter_job_finish(job, &result);
}

void job_fail(ConversionJob *job, DocReason reason, const char *detail, const WireChild *child)
{
	ConvertResult result = {.state = STATE_FAILED,
	        .reason = reason,
	        .detail = (char *)detail,
	        .cpu_us = child ? child->cpu_us : 0};
	converter_job_finish(job, &result);
}

void job_restart(Converter *converter, ConversionJob *job)
{
	if ((job->delivered > 0 || job->member) && job->callbacks.restart)
		job->callbacks.restart(job->data);
	job->delivered = 0;
	g_clear_pointer(&job->mime, g_free);
	g_clear_pointer(&job->detail, g_free);
	job->extractor = NULL;
	job->version = 0;
	converter_enqueue(converter, job);
}

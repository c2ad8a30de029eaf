/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-member.c - copies the bytes of one member of a container out of the sandbox */
#include <config.h>
#include "common/sandbox/converter-private.h"
#include <errno.h>
#include <string.h>

typedef struct {
	const char *member;
	int output, write_error; /* write_error: errno, 0 if none */
	bool found, done;
	DocReason reason;
} MemberCopy;

/* Was less read of the container than there is, so that the wanted member may be a part of itself?
 */
static bool is_cut(const Document *doc)
{
	return doc->truncated &&
	       (doc->reason == REASON_LIMIT_MEMORY || doc->reason == REASON_LIMIT_UNPACKED);
}

static void copy_on_document(Document *doc, void *data)
{
	MemberCopy *copy = data;
	if (g_strcmp0(doc->member, copy->member) == 0) {
		copy->found = doc->state == STATE_OK;
		copy->reason = doc->reason;
	} else if (doc->truncated || (!copy->found && doc->state == STATE_FAILED)) {
		/* A container is complete after its members: then it tells that it was cut. */
		copy->found = copy->found && !is_cut(doc);
		copy->reason = doc->reason;
	}
	document_free(doc);
}

static bool copy_on_bytes(const uint8_t *bytes, size_t length, void *data)
{
	MemberCopy *copy = data;
	while (length > 0) {
		ssize_t n = write(copy->output, bytes, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			copy->write_error = errno;
			return false;
		}
		bytes += n;
		length -= n;
	}
	return true;
}

/* Bytes of the attempt before are void. */
static void copy_on_restart(void *data)
{
	MemberCopy *copy = data;
	copy->found = false;
	if (ftruncate(copy->output, 0) != 0 || lseek(copy->output, 0, SEEK_SET) != 0)
		copy->write_error = errno;
}

static void copy_on_done(const ConvertResult *result, void *data)
{
	MemberCopy *copy = data;
	copy->done = true;
	if (result->state == STATE_FAILED) {
		copy->found = false;
		copy->reason = result->reason;
	}
}

bool converter_copy_member(Converter *converter, const ConvertRequest *request, int output,
        DocReason *reason_r, GError **error)
{
	static const ConvertCallbacks callbacks = {.document = copy_on_document,
	        .restart = copy_on_restart,
	        .bytes = copy_on_bytes,
	        .done = copy_on_done};
	MemberCopy copy = {.member = request->member, .output = output};
	converter_submit(converter, request, &callbacks, &copy);
	while (!copy.done)
		g_main_context_iteration(converter->context, TRUE);
	*reason_r = copy.reason;
	if (copy.write_error == 0)
		return copy.found;
	g_set_error_literal(error, G_FILE_ERROR, g_file_error_from_errno(copy.write_error),
	        g_strerror(copy.write_error));
	return false;
}

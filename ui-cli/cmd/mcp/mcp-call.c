/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-call.h"
#include "ui-cli/print/json-writer.h"
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

void mcp_call_fail(McpCall *call, McpCode code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	call->error = code;
	g_free(call->reason);
	call->reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
}

const json_t *mcp_call_param(const McpCall *call, const char *name)
{
	return json_object_get(call->message->params, name);
}

/* ---- the index */

static bool mcp_call_tells(const char *path, void *session)
{
	const McpSession *s = session;
	return mcp_scope_path(s->scope, s->cli, path);
}

Reader *mcp_call_reader(McpCall *call, GError **error)
{
	McpSession *session = call->session;
	Reader *reader = cli_fresh_reader(session->cli, error);
	/* the roots decide what is hidden, and are read before a transaction begins */
	if (!reader || !cli_roots(session->cli, error))
		return NULL;
	reader_set_stop(reader, mcp_inbox_is_cancelled, session->inbox);
	reader_set_tells(reader, mcp_call_tells, mcp_scope_member, session);
	return reader;
}

/* ---- the answer */

void mcp_call_append_id(GString *out, const char *key, const json_t *id)
{
	if (json_is_integer(id))
		json_int(out, key, json_integer_value(id));
	else if (id)
		json_text(out, key, json_string_value(id));
}

static void mcp_call_append_error(GString *out, const McpCall *call)
{
	json_open(out, "error", '{');
	json_int(out, "code", call->error);
	json_text(out, "message", call->reason);
	if (call->data)
		g_string_append_printf(out, ",\"data\":%s", call->data->str);
	json_close(out, '}');
}

static bool mcp_call_write(const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t done = write(STDOUT_FILENO, bytes, length);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		length -= done;
	}
	return true;
}

bool mcp_call_put(GString *message)
{
	g_string_append_c(message, '\n');
	return mcp_call_write(message->str, message->len);
}

bool mcp_call_send(const McpCall *call)
{
	g_autoptr(GString) out = g_string_new(NULL);
	if (call->message->kind == MCP_REQUEST && mcp_inbox_is_cancelled(call->session->inbox))
		return true;
	json_open(out, NULL, '{');
	json_text(out, "jsonrpc", "2.0");
	mcp_call_append_id(out, "id", call->message->id);
	if (call->error)
		mcp_call_append_error(out, call);
	else
		g_string_append_printf(out, ",\"result\":%s", call->result->str);
	g_string_append_c(out, '}');
	return mcp_call_put(out);
}

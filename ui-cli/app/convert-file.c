/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/convert-file.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/open-file.h"
#include "ui-cli/app/page-bytes.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STDIN_MOST = 256 << 20 }; /* bytes; they are held in memory */

ConverterOptions convert_options(const Settings *settings)
{
	ConverterOptions options = {
	        .children = 1,
	        .allow_unsandboxed = settings_bool(settings, "daemon", "unsandboxed", NULL),
	};
	g_strlcpy(
	        options.ocr, settings_string(settings, "daemon", "ocr", NULL), sizeof options.ocr);
	return options;
}

/* Takes ownership of fd, which may be -1. */
static GPtrArray *convert_open_file(Cli *cli, const char *path, int opened, uint64_t size,
        JobPurpose purpose, const char *url, const char *charset, GError **error)
{
	autofd fd = opened;
	const Settings *settings = fd >= 0 ? cli_settings(cli, error) : NULL;
	g_autoptr(GPtrArray) docs = g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	g_autoptr(Converter) converter = NULL;
	ConvertRequest request = {.size = size, .purpose = purpose, .url = url, .charset = charset};
	ConverterOptions options;

	if (!settings)
		return NULL;
	request.name = path_base_name(path);
	options = convert_options(settings);
	options.first_name = purpose == JOB_FILE ? request.name : "";
	converter = converter_start(&options, error);
	if (!converter)
		return NULL;
	request.limits = settings_limits(settings);
	request.fd = autofd_steal(&fd);
	request.slow = true;
	g_ptr_array_insert(docs, 0, converter_run(converter, &request, docs));
	return g_steal_pointer(&docs);
}

GPtrArray *convert_file(Cli *cli, const char *path, GError **error)
{
	uint64_t size = 0;
	int fd = open_regular(path, &size, error);
	return convert_open_file(cli, path, fd, size, JOB_FILE, NULL, NULL, error);
}

/* Copies everything to a sealed memfd. False with errno; EFBIG: it is more than STDIN_MOST. */
static bool convert_copy_input(int fd, uint64_t *size_r)
{
	char buffer[65536];
	for (;;) {
		ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 && fcntl(fd, F_ADD_SEALS,
			                         F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0;
		for (ssize_t done = 0, written; done < n; done += written) {
			written = write(fd, buffer + done, n - done);
			if (written < 0 && errno != EINTR)
				return false;
			written = MAX(written, 0);
		}
		*size_r += n;
		errno = EFBIG;
		if (*size_r > STDIN_MOST)
			return false;
	}
}

/* -1 with error. */
static int convert_open_input(uint64_t *size_r, GError **error)
{
	autofd fd = memfd_create("input", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && convert_copy_input(fd, size_r))
		return autofd_steal(&fd);
	int code = errno;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), _("standard input: %s"),
	        g_strerror(code));
	return -1;
}

GPtrArray *convert_fetched(
        Cli *cli, const char *word, JobPurpose purpose, const char *url, GError **error)
{
	uint64_t size = 0;
	g_autofree char *path = cli_absolute(word);
	int fd = strcmp(word, "-") == 0 ? convert_open_input(&size, error)
	                                : open_regular(path, &size, error);
	return convert_open_file(cli, path, fd, size, purpose, url, NULL, error);
}

void convert_source_clear(ConvertSource *source)
{
	if (source->fd >= 0)
		close(source->fd);
	g_free(source->name);
	g_free(source->url);
	g_free(source->charset);
	g_free(source->scope);
	*source = (ConvertSource){.fd = -1};
}

static bool convert_source_open_page(Cli *cli, const Info *info, ConvertSource *out, GError **error)
{
	g_autoptr(PageBytes) page = page_bytes_read(cli->reader, info, error);
	if (!page)
		return false;
	out->name = g_steal_pointer(&page->name);
	out->url = g_steal_pointer(&page->url);
	out->charset = g_steal_pointer(&page->charset);
	out->purpose = page->purpose;
	out->scope = g_strdup_printf("web %" G_GINT64_FORMAT, page->source);
	out->fd = page_bytes_open(page, &out->size, error);
	return out->fd >= 0;
}

/* NULL with error: the owner cannot be read. */
static char *convert_scope(const GPtrArray *roots, const char *path, int fd, GError **error)
{
	const char *root = open_root_of(roots, path);
	struct stat st;
	if (fstat(fd, &st) == 0)
		return converter_file_scope(
		        st.st_uid, root, path + strlen(root) + strspn(path + strlen(root), "/"));
	int code = errno;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", path,
	        g_strerror(code));
	return NULL;
}

bool convert_source_open(Cli *cli, const Info *info, ConvertSource *out, GError **error)
{
	*out = (ConvertSource){.fd = -1, .purpose = JOB_FILE};
	if (path_is_web(info->path))
		return convert_source_open_page(cli, info, out, error);
	const GPtrArray *roots = cli_roots(cli, error);
	out->name = g_path_get_basename(info->path);
	out->fd = roots ? open_indexed(roots, info, &out->size, error) : -1;
	if (out->fd >= 0)
		out->scope = convert_scope(roots, info->path, out->fd, error);
	return out->scope != NULL;
}

GPtrArray *convert_answer(
        Cli *cli, int memfd, uint64_t size, JobPurpose purpose, const char *url, GError **error)
{
	return convert_open_file(cli, "", memfd, size, purpose, url, NULL, error);
}

static GPtrArray *convert_indexed(Cli *cli, const Info *info, GError **error)
{
	g_auto(ConvertSource) source = {.fd = -1};
	if (!convert_source_open(cli, info, &source, error))
		return NULL;
	return convert_open_file(cli, source.name, autofd_steal(&source.fd), source.size,
	        source.purpose, source.url, source.charset, error);
}

/* If a container gives a member no name, the member takes its name from the file. Equal files are
 * converted once, so only the first of them has that name; such a container has a single member.
 * Returns the index in docs; 0 if the member is missing. */
static guint find_member(const GPtrArray *docs, const char *member)
{
	for (guint i = 1; i < docs->len; i++)
		if (strcmp(((const Document *)docs->pdata[i])->member, member) == 0)
			return i;
	return docs->len == 2 && !strchr(member, '|') ? 1 : 0;
}

Document *convert_entry(Cli *cli, const Info *info, GError **error)
{
	Document *doc =
	        info->document ? reader_cached_text(cli->reader, info->document, error) : NULL;
	g_autoptr(GPtrArray) docs = NULL;

	if (doc || *error)
		return doc;
	docs = convert_indexed(cli, info, error);
	if (!docs)
		return NULL;
	guint at = info->member ? find_member(docs, info->member) : 0;
	return at > 0 || !info->member ? g_ptr_array_steal_index(docs, at) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/page-bytes.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/media-type.h"
#include "common/base/page-name.h"
#include "index/read/reader-page.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void page_bytes_free(PageBytes *page)
{
	if (!page)
		return;
	g_bytes_unref(page->bytes);
	g_free(page->url);
	g_free(page->name);
	g_free(page->charset);
	g_free(page);
}

PageBytes *page_bytes_read(Reader *r, const Info *info, GError **error)
{
	g_auto(ReaderPage) kept = {0};
	int found = reader_web_page(r, info->inode, &kept, error);
	if (found == 0)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_AGAIN, _("%s: its text is not kept"),
		        info->path);
	if (found <= 0)
		return NULL;
	PageBytes *page = g_new0(PageBytes, 1);
	page->bytes = g_bytes_ref(kept.content->body);
	page->url = g_strdup(kept.url);
	page->name = page_file_name(kept.url, kept.content->media_type);
	page->charset = media_charset(kept.content->media_type);
	page->purpose = kept.is_page ? JOB_PAGE : JOB_FILE;
	page->source = kept.source;
	return page;
}

/* The descriptor stays at the beginning, where its reader begins. */
static bool page_bytes_write(int fd, const uint8_t *bytes, size_t length)
{
	size_t done = 0;
	while (done < length) {
		ssize_t n = pwrite(fd, bytes + done, length - done, (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += n;
	}
	return true;
}

int page_bytes_open(const PageBytes *page, uint64_t *size_r, GError **error)
{
	gsize length;
	const uint8_t *bytes = g_bytes_get_data(page->bytes, &length);
	autofd fd = memfd_create("page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || !page_bytes_write(fd, bytes, length) ||
	        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0) {
		int code = errno;
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", page->url,
		        g_strerror(code));
		return -1;
	}
	*size_r = length;
	return autofd_steal(&fd);
}

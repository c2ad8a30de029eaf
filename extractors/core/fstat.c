/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library implements fstat() with newfstatat(), which takes paths too and so is refused in
 * the sandbox. libfreetype then cannot open the fonts that a page needs. The plugins and their
 * libraries get this function instead, because the program exports it. Elsewhere the structures of
 * the C library and the kernel differ, and fonts cannot be opened. */
#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__) || defined(__riscv))
int fstat(int fd, struct stat *status)
{
	return (int)syscall(SYS_fstat, fd, status);
}
#endif

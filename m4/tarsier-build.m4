# SPDX-License-Identifier: GPL-3.0-or-later

# TARSIER_WARNINGS: the warnings every source of ours compiles without (WARN_CFLAGS).
AC_DEFUN([TARSIER_WARNINGS], [
	WARN_CFLAGS="-Wall -Wextra -Wshadow -Wvla -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter -Wno-missing-field-initializers -fno-strict-aliasing"
	AC_SUBST([WARN_CFLAGS])
])

# TARSIER_SANITIZER: --with-sanitizer=LIST puts -fsanitize=LIST into SAN_FLAGS.
AC_DEFUN([TARSIER_SANITIZER], [
	AC_ARG_WITH([sanitizer], [AS_HELP_STRING([--with-sanitizer=LIST],
		[build with -fsanitize=LIST, for instance address,undefined])], [], [with_sanitizer=no])
	SAN_FLAGS=
	AS_IF([test "x$with_sanitizer" != xno && test "x$with_sanitizer" != x],
		[SAN_FLAGS="-fsanitize=$with_sanitizer -fno-sanitize-recover=undefined -fno-omit-frame-pointer"])
	AC_SUBST([SAN_FLAGS])
	AM_CONDITIONAL([SANITIZER], [test -n "$SAN_FLAGS"])
])

# TARSIER_FUZZER: --with-fuzzer links the fuzz targets with libFuzzer (needs CC=clang CXX=clang++);
# without it they are built as programs that replay the files they are given. Who sets
# LIB_FUZZING_ENGINE (OSS-Fuzz) links that instead, and has its flags in CFLAGS.
AC_DEFUN([TARSIER_FUZZER], [
	AC_ARG_WITH([fuzzer], [AS_HELP_STRING([--with-fuzzer],
		[link the fuzz targets with libFuzzer (CC=clang CXX=clang++)])], [], [with_fuzzer=no])
	FUZZ_FLAGS=
	AS_IF([test "x$with_fuzzer" = xyes],
		[AS_IF([test -n "$LIB_FUZZING_ENGINE"],
			[FUZZ_FLAGS=$LIB_FUZZING_ENGINE],
			[FUZZ_FLAGS=-fsanitize=fuzzer SAN_FLAGS="$SAN_FLAGS -fsanitize=fuzzer-no-link"])])
	AC_SUBST([FUZZ_FLAGS])
	AM_CONDITIONAL([FUZZER], [test "x$with_fuzzer" = xyes])
])

# TARSIER_TRY_FLAG(VARIABLE, FLAG): appends FLAG to VARIABLE if a program compiles and links with it
# without a warning.
AC_DEFUN([TARSIER_TRY_FLAG], [
	AC_MSG_CHECKING([whether $CC takes $2])
	tarsier_saved=$CFLAGS
	CFLAGS="$CFLAGS -Werror $2"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string.h>]])], [tarsier_takes=yes], [tarsier_takes=no])
	CFLAGS=$tarsier_saved
	AC_MSG_RESULT([$tarsier_takes])
	AS_IF([test $tarsier_takes = yes], [$1="$$1 $2"])
])

# TARSIER_HARDENING: --disable-hardening leaves out the flags that make errors of memory harder to
# exploit. HARDEN_CFLAGS is for every source (FORTIFY_FLAGS is the part of it that
# every compiler knows), HARDEN_LDFLAGS for every link, PIE_LDFLAGS for programs.
# Sanitizers detect such errors themselves and do not go together with _FORTIFY_SOURCE.
# The compiler records its flags in each object, and tests/check-hardening.sh reads them there.
AC_DEFUN([TARSIER_HARDENING], [
	AC_ARG_ENABLE([hardening], [AS_HELP_STRING([--disable-hardening],
		[build without the flags that make errors of memory harder to exploit])], [], [enable_hardening=yes])
	AS_IF([test -n "$SAN_FLAGS"], [enable_hardening=no])
	HARDEN_CFLAGS= FORTIFY_FLAGS= HARDEN_LDFLAGS= PIE_LDFLAGS=
	AS_IF([test "x$enable_hardening" = xyes], [
		TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-fPIE])
		TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-fstack-protector-strong])
		TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-fstack-clash-protection])
		TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-ftrivial-auto-var-init=zero])
		AS_CASE([$host_cpu],
			[x86_64|i?86], [TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-fcf-protection=full])],
			[aarch64], [TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-mbranch-protection=standard])])
		TARSIER_TRY_FLAG([HARDEN_CFLAGS], [-frecord-gcc-switches])
		dnl glibc checks buffers only in optimized code, and warns otherwise.
		TARSIER_TRY_FLAG([FORTIFY_FLAGS], [-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3])
		AS_IF([test -n "$FORTIFY_FLAGS"],
			[AC_DEFINE([FORTIFIED], [1], [every source is compiled with _FORTIFY_SOURCE])])
		HARDEN_CFLAGS="$HARDEN_CFLAGS$FORTIFY_FLAGS"
		TARSIER_TRY_FLAG([PIE_LDFLAGS], [-pie])
		TARSIER_TRY_FLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
		TARSIER_TRY_FLAG([HARDEN_LDFLAGS], [-Wl,-z,now])
		TARSIER_TRY_FLAG([HARDEN_LDFLAGS], [-Wl,-z,noexecstack])
		TARSIER_TRY_FLAG([HARDEN_LDFLAGS], [-Wl,-z,separate-code])
	])
	AC_SUBST([HARDEN_CFLAGS])
	AC_SUBST([FORTIFY_FLAGS])
	AC_SUBST([HARDEN_LDFLAGS])
	AC_SUBST([PIE_LDFLAGS])
	AH_BOTTOM([#if defined FORTIFIED && (!defined _FORTIFY_SOURCE || _FORTIFY_SOURCE < 2)
# error "compile every source with HARDEN_CFLAGS"
#endif])
])

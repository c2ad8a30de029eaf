# SPDX-License-Identifier: GPL-3.0-or-later

# TARSIER_WARNINGS: the warnings every source of ours compiles without (WARN_CFLAGS).
AC_DEFUN([TARSIER_WARNINGS], [
	WARN_CFLAGS="-Wall -Wextra -Wshadow -Wvla -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter -Wno-missing-field-initializers -fno-strict-aliasing -fstack-protector-strong"
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
# without it they are built as programs that replay the files they are given.
AC_DEFUN([TARSIER_FUZZER], [
	AC_ARG_WITH([fuzzer], [AS_HELP_STRING([--with-fuzzer],
		[link the fuzz targets with libFuzzer (CC=clang CXX=clang++)])], [], [with_fuzzer=no])
	FUZZ_FLAGS=
	AS_IF([test "x$with_fuzzer" = xyes],
		[FUZZ_FLAGS=-fsanitize=fuzzer SAN_FLAGS="$SAN_FLAGS -fsanitize=fuzzer-no-link"])
	AC_SUBST([FUZZ_FLAGS])
	AM_CONDITIONAL([FUZZER], [test "x$with_fuzzer" = xyes])
])

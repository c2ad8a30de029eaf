#!/bin/bash -eu
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh: builds all fuzz targets as OSS-Fuzz wants them
#
# Runs in the top directory of the sources. SRC, WORK and OUT are directories; CC, CXX, CFLAGS,
# CXXFLAGS and LIB_FUZZING_ENGINE are set. OUT gets the targets, the shared libraries that they
# need, and their seeds.
top=$PWD
# Libraries of the distribution use libstdc++, and have no types at run time.
CXXFLAGS="${CXXFLAGS//-stdlib=libc++/} -fno-sanitize=vptr"
export CFLAGS CXXFLAGS LIB_FUZZING_ENGINE
# Targets find their libraries beside themselves, and these find each other.
export LD_RUN_PATH="\$ORIGIN/lib" LDFLAGS="-Wl,--disable-new-dtags"

autoreconf -fi
mkdir -p "$WORK/build" "$OUT/lib"
cd "$WORK/build"
sh "$top/tests/fuzz/build-sqlite.sh" "$WORK/sqlite" "$SRC/sqlite/sqlite3.c" >sqlite.conf
"$top/configure" --with-fuzzer --disable-hardening "$(sed -n 1p sqlite.conf)" "$(sed -n 2p sqlite.conf)"
make -j"$(nproc)" fuzz-targets

# Libraries that every system of OSS-Fuzz has need not be copied.
libraries() { ldd "$1" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | grep -vE '/(ld-linux|libc|libm|libdl|libpthread|librt)[-.]'; }

export abs_top_srcdir=$top
for target in tests/fuzz/fuzz_*; do
	[[ $target == *.* || $target == */fuzz_ocr ]] && continue # its models are not there at run time
	name=${target##*/}
	cp "$target" "$OUT/"
	libraries "$target" | xargs -r cp -nt "$OUT/lib"
	rm -f "$OUT/${name}_seed_corpus.zip"
	"$target" --seeds | zip -qj "$OUT/${name}_seed_corpus.zip" -@
done

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checksums.c - what it costs to know files by a keyed checksum
 *
 * checksums DIR...: computes the checksum of each regular file below DIR, and beside it SHA-256 and
 * XXH3-128, in seconds of CPU. Files are read before the clock starts. Files of more than 64 MiB
 * are left out. */
#include <config.h>
#include "index/text/checksum.h"
#include <ftw.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

enum { FILE_MAX = 64 << 20, CHUNK = 128 << 10, REPEATS = 3 };

static const ChecksumKey zero_key;

typedef enum { KEYED, SHA256, XXH3, N_KINDS } Kind;
static const char *const names[N_KINDS] = {"keyed checksum", "SHA-256", "XXH3-128"};

static struct {
	unsigned files;
	double bytes, s[N_KINDS];
	uint8_t used; /* so that no result is thrown away */
} total;

static double cpu_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* In chunks of the size in which the loader reads. */
static void run_keyed(const uint8_t *data, size_t length, uint8_t out[32])
{
	Checksum *checksum = checksum_new(&zero_key);
	for (size_t at = 0; at < length; at += CHUNK)
		checksum_update(checksum, data + at, MIN(CHUNK, length - at));
	checksum_final(checksum, out);
}

static void run_sha256(const uint8_t *data, size_t length, uint8_t out[32])
{
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, length, data);
	sha256_digest(&context, 32, out);
}

static void run_xxh3(const uint8_t *data, size_t length, uint8_t out[32])
{
	XXH128_hash_t hash = XXH3_128bits(data, length);
	out[0] = hash.low64 ^ hash.high64;
}

static void run_all(const uint8_t *data, size_t length)
{
	static void (*const runs[N_KINDS])(const uint8_t *, size_t, uint8_t *) = {
	        run_keyed, run_sha256, run_xxh3};
	for (int kind = 0; kind < N_KINDS; kind++) {
		double best = G_MAXDOUBLE;
		for (int i = 0; i < REPEATS; i++) {
			uint8_t out[32];
			double before = cpu_s();
			runs[kind](data, length, out);
			best = MIN(best, cpu_s() - before);
			total.used ^= out[0];
		}
		total.s[kind] += best;
	}
	total.files++;
	total.bytes += length;
}

static int take(const char *path, const struct stat *st, int type, struct FTW *place)
{
	g_autofree char *data = NULL;
	gsize length;
	if (type == FTW_F && S_ISREG(st->st_mode) && st->st_size <= FILE_MAX &&
	        g_file_get_contents(path, &data, &length, NULL))
		run_all((const uint8_t *)data, length);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: checksums DIR...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		nftw(argv[i], take, 64, FTW_PHYS | FTW_MOUNT);
	printf("%u files, %.0f MB (%02x)\n", total.files, total.bytes / 1e6, total.used);
	for (int kind = 0; kind < N_KINDS; kind++)
		printf("%-15s %7.3f s of CPU, %6.2f GB/s, %6.2f us a file\n", names[kind],
		        total.s[kind], total.bytes / total.s[kind] / 1e9,
		        total.s[kind] / total.files * 1e6);
	return 0;
}

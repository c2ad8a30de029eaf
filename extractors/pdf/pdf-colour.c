/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-colour.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef void *OpenProfile(const void *data, uint32_t size);

OpenProfile cmsOpenProfileFromMem;

static bool colour_used;

void pdf_colour_use(bool profiles)
{
	colour_used = profiles;
}

/* Little CMS: "Opens an ICC profile which is entirely contained in a memory block"; NULL: an error.
 */
void *cmsOpenProfileFromMem(const void *data, uint32_t size)
{
	OpenProfile *open_profile =
	        colour_used ? (OpenProfile *)dlsym(RTLD_NEXT, "cmsOpenProfileFromMem") : NULL;
	return open_profile ? open_profile(data, size) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/image-draw.h"
#include "extractors/shared/shrink.h"
#include <webp/decode.h>
#include <webp/demux.h>

/* The library scales, and multiplies with the opacity: what is missing then is white. */
static void webp_send(
        Sink *sink, const WebPDecBuffer *out, unsigned width, unsigned height, unsigned orientation)
{
	g_autofree uint8_t *pixels = g_malloc((size_t)WIRE_PIXEL_BYTES * width * height);
	uint8_t *to = pixels;
	for (unsigned y = 0; y < height; y++) {
		const uint8_t *from = out->u.RGBA.rgba + (size_t)y * out->u.RGBA.stride;
		for (unsigned x = 0; x < width; x++, from += 4)
			for (unsigned k = 0; k < WIRE_PIXEL_BYTES; k++)
				*to++ = MIN(from[k] + 255 - from[3], 255);
	}
	image_send_turned(sink, width, height, pixels, orientation);
}

static ExtractResult webp_decode(
        WebPDecoderConfig *config, const WebPData *frame, Sink *sink, unsigned orientation)
{
	unsigned width, height;
	if (WebPGetFeatures(frame->bytes, frame->size, &config->input) != VP8_STATUS_OK)
		return sink_fail(sink, REASON_DAMAGED, NULL);
	if (!shrink_allows(config->input.width, config->input.height))
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	shrink_size(config->input.width, config->input.height, &width, &height);
	config->options.use_scaling = 1;
	config->options.scaled_width = width;
	config->options.scaled_height = height;
	config->output.colorspace = MODE_rgbA;
	VP8StatusCode status = WebPDecode(frame->bytes, frame->size, config);
	if (status == VP8_STATUS_OK)
		webp_send(sink, &config->output, width, height, orientation);
	WebPFreeDecBuffer(&config->output);
	if (status == VP8_STATUS_OK)
		return EXTRACT_DONE;
	return sink_fail(sink,
	        status == VP8_STATUS_OUT_OF_MEMORY ? REASON_LIMIT_MEMORY : REASON_DAMAGED, NULL);
}

static unsigned webp_orientation(const WebPDemuxer *file)
{
	WebPChunkIterator chunk;
	if (!WebPDemuxGetChunk(file, "EXIF", 1, &chunk))
		return 1;
	unsigned orientation = image_exif_orientation((Bytes){chunk.chunk.bytes, chunk.chunk.size});
	WebPDemuxReleaseChunkIterator(&chunk);
	return orientation;
}

/* Of an animation, the first frame. */
ExtractResult webp_draw(const Input *in, Sink *sink)
{
	const WebPData data = {in->data, in->size};
	WebPDemuxer *file = WebPDemux(&data);
	WebPIterator frame;
	WebPDecoderConfig config;
	ExtractResult result = EXTRACT_FAILED;
	if (file && WebPInitDecoderConfig(&config) && WebPDemuxGetFrame(file, 1, &frame)) {
		result = webp_decode(&config, &frame.fragment, sink, webp_orientation(file));
		WebPDemuxReleaseIterator(&frame);
	} else {
		result = sink_fail(sink, REASON_DAMAGED, NULL);
	}
	WebPDemuxDelete(file);
	return result;
}

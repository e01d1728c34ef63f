#ifndef CMARTLET_ZLIB_H
#define CMARTLET_ZLIB_H

#include <zlib.h>

/* Macros, which Swift does not import. Negative window bits: raw DEFLATE, without the header and checksum of zlib. */

static inline int martlet_deflate_init(z_stream *stream, int level, int window_bits, int memory_level)
{
    return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

static inline int martlet_inflate_init(z_stream *stream)
{
    return inflateInit2(stream, -15);
}

#endif

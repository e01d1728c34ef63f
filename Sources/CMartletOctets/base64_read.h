#ifndef CMARTLET_OCTETS_BASE64_READ_H
#define CMARTLET_OCTETS_BASE64_READ_H

/* The inner loop of reading base64: blocks of characters at once, with the line ends between them.

   Each variant reads while the input is what every mailer writes: lines of a whole number of quanta (four
   characters), ended by LF, CR LF or CR, without empty lines. It stops in front of everything else (padding, blanks,
   other octets, a line end within a quantum, an empty line) and near the end, where a block no longer fits; the caller
   goes on from there octet by octet. So all variants may stop at different places, and all give the same octets.

   `in`, `count`: the characters, at the start of a quantum. `out`: room for `count / 4 * 3 + 32` octets, since a block
   is stored whole before it is known how many of its octets count. `*written`: the octets that count.
   The result is the number of characters that were read; it never exceeds `count`. */
#include "variant.h"
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* The length of the line end at `p`, of which two octets can be read; 0 if there is none. */
static inline size_t martlet_line_end(const uint8_t *p) {
    if (p[0] == '\n') return 1;
    if (p[0] == '\r') return p[1] == '\n' ? 2 : 1;
    return 0;
}

#define X 0xFF
#define X16 X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X
static const uint8_t martlet_base64_values[256] = {
    X16, X16,
    X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  62, X,  X,  X,  63,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, X,  X,  X,  X,  X,  X,
    X,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, X,  X,  X,  X,  X,
    X,  26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, X,  X,  X,  X,  X,
    X16, X16, X16, X16, X16, X16, X16, X16,
};
#undef X16
#undef X

/* 0...63, or 0xFF for octets outside of the alphabet of RFC 4648 section 4. */
static inline uint8_t martlet_base64_value(uint8_t octet) { return martlet_base64_values[octet]; }

/* One quantum at a time, for every processor. */
static inline size_t martlet_base64_read_portable(
    const uint8_t *in, size_t count, uint8_t *out, size_t *written) {
    const uint8_t *const table = martlet_base64_values;
    const uint8_t *p = in;
    uint8_t *q = out;
    size_t left = count;
    while (left >= 6) {
        const uint32_t a = table[p[0]], b = table[p[1]], c = table[p[2]], d = table[p[3]];
        if ((a | b | c | d) > 63) break;
        const uint32_t bits = a << 18 | b << 12 | c << 6 | d;
        q[0] = (uint8_t)(bits >> 16);
        q[1] = (uint8_t)(bits >> 8);
        q[2] = (uint8_t)bits;
        q += 3;
        p += 4;
        p += martlet_line_end(p);
        left = count - (size_t)(p - in);
    }
    *written = (size_t)(q - out);
    return (size_t)(p - in);
}

/* Goes over the first `run` characters of a block, which are in the alphabet, and the line end behind them. Returns 0
   where the block variants stop. */
static inline int martlet_base64_step(const uint8_t *in, size_t run, const uint8_t **p, uint8_t **q) {
    *p += run / 4 * 4;
    *q += run / 4 * 3;
    if (run % 4 != 0) return 0;
    /* An empty line: a line end behind a line end, or at the start of the input, where that cannot be known. */
    if (run == 0 && (*p == in || (*p)[-1] == '\n' || (*p)[-1] == '\r')) return 0;
    const size_t end = martlet_line_end(*p);
    *p += end;
    return end != 0;
}

#if defined(__x86_64__)

/* How both x86 variants classify: an octet is in the alphabet if the classes that its high nibble is in and those that
   its low nibble excludes have nothing in common. The classes: 1 for 0x2_, 2 for 0x3_, 4 for 0x4_ and 0x6_, 8 for 0x5_
   and 0x7_, 16 for what is never in it. The value is the octet plus a number by its high nibble, with an extra entry
   (1, not a high nibble of the alphabet) for the slash. */
#define MARTLET_LOW 0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1A, 0x1B, 0x1B, 0x1B, 0x1A
#define MARTLET_HIGH 0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10
#define MARTLET_ADD 0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0
/* Of each 32 bits the three octets that count, the most significant first. */
#define MARTLET_PACK 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1

__attribute__((target("ssse3"))) static size_t martlet_base64_read_ssse3(
    const uint8_t *in, size_t count, uint8_t *out, size_t *written) {
    const __m128i low_classes = _mm_setr_epi8(MARTLET_LOW), high_classes = _mm_setr_epi8(MARTLET_HIGH);
    const __m128i additions = _mm_setr_epi8(MARTLET_ADD), pack = _mm_setr_epi8(MARTLET_PACK);
    const __m128i nibble = _mm_set1_epi8(0x0F), slash = _mm_set1_epi8('/');
    const __m128i join12 = _mm_set1_epi32(0x01400140), join24 = _mm_set1_epi32(0x00011000);
    const uint8_t *p = in;
    uint8_t *q = out;
    /* 16 characters, and the two octets that a line end behind them may have. */
    while (count - (size_t)(p - in) >= 18) {
        const __m128i text = _mm_loadu_si128((const __m128i *)p);
        const __m128i high = _mm_and_si128(_mm_srli_epi32(text, 4), nibble);
        const __m128i low = _mm_and_si128(text, nibble);
        const __m128i wrong = _mm_and_si128(_mm_shuffle_epi8(low_classes, low), _mm_shuffle_epi8(high_classes, high));
        const unsigned good =
            (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(wrong, _mm_setzero_si128()));
        const __m128i values = _mm_add_epi8(
            text, _mm_shuffle_epi8(additions, _mm_add_epi8(high, _mm_cmpeq_epi8(text, slash))));
        const __m128i bits = _mm_madd_epi16(_mm_maddubs_epi16(values, join12), join24);
        _mm_storeu_si128((__m128i *)q, _mm_shuffle_epi8(bits, pack));
        if (good == 0xFFFF) {
            p += 16;
            q += 12;
            continue;
        }
        if (!martlet_base64_step(in, (size_t)__builtin_ctz(~good), &p, &q)) break;
    }
    *written = (size_t)(q - out);
    return (size_t)(p - in);
}

__attribute__((target("avx2"))) static size_t martlet_base64_read_avx2(
    const uint8_t *in, size_t count, uint8_t *out, size_t *written) {
    const __m256i low_classes = _mm256_setr_epi8(MARTLET_LOW, MARTLET_LOW);
    const __m256i high_classes = _mm256_setr_epi8(MARTLET_HIGH, MARTLET_HIGH);
    const __m256i additions = _mm256_setr_epi8(MARTLET_ADD, MARTLET_ADD);
    const __m256i pack = _mm256_setr_epi8(MARTLET_PACK, MARTLET_PACK);
    const __m256i nibble = _mm256_set1_epi8(0x0F), slash = _mm256_set1_epi8('/');
    const __m256i join12 = _mm256_set1_epi32(0x01400140), join24 = _mm256_set1_epi32(0x00011000);
    const __m256i close = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
    const uint8_t *p = in;
    uint8_t *q = out;
    while (count - (size_t)(p - in) >= 34) {
        const __m256i text = _mm256_loadu_si256((const __m256i *)p);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi32(text, 4), nibble);
        const __m256i low = _mm256_and_si256(text, nibble);
        const __m256i wrong =
            _mm256_and_si256(_mm256_shuffle_epi8(low_classes, low), _mm256_shuffle_epi8(high_classes, high));
        const unsigned good =
            (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(wrong, _mm256_setzero_si256()));
        const __m256i values = _mm256_add_epi8(
            text, _mm256_shuffle_epi8(additions, _mm256_add_epi8(high, _mm256_cmpeq_epi8(text, slash))));
        const __m256i bits = _mm256_madd_epi16(_mm256_maddubs_epi16(values, join12), join24);
        _mm256_storeu_si256(
            (__m256i *)q, _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(bits, pack), close));
        if (good == 0xFFFFFFFF) {
            p += 32;
            q += 24;
            continue;
        }
        if (!martlet_base64_step(in, (size_t)__builtin_ctz(~good), &p, &q)) break;
    }
    *written = (size_t)(q - out);
    return (size_t)(p - in);
}

#elif defined(__aarch64__)

static inline size_t martlet_base64_read_neon(
    const uint8_t *in, size_t count, uint8_t *out, size_t *written) {
    static const uint8_t low_octets[16] = {0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                           0x11, 0x11, 0x13, 0x1A, 0x1B, 0x1B, 0x1B, 0x1A};
    static const uint8_t high_octets[16] = {0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08,
                                            0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10};
    static const int8_t add_octets[16] = {0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t pack_octets[16] = {2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 255, 255, 255, 255};
    const uint8x16_t low_classes = vld1q_u8(low_octets), high_classes = vld1q_u8(high_octets);
    const uint8x16_t additions = vreinterpretq_u8_s8(vld1q_s8(add_octets)), pack = vld1q_u8(pack_octets);
    const uint8_t *p = in;
    uint8_t *q = out;
    while (count - (size_t)(p - in) >= 18) {
        const uint8x16_t text = vld1q_u8(p);
        const uint8x16_t high = vshrq_n_u8(text, 4), low = vandq_u8(text, vdupq_n_u8(0x0F));
        const uint8x16_t wrong = vtstq_u8(vqtbl1q_u8(low_classes, low), vqtbl1q_u8(high_classes, high));
        /* Four bits of each octet. */
        const uint64_t bad = vget_lane_u64(
            vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(wrong), 4)), 0);
        const uint8x16_t values = vaddq_u8(
            text, vqtbl1q_u8(additions, vaddq_u8(high, vceqq_u8(text, vdupq_n_u8('/')))));
        const uint16x8_t halves = vreinterpretq_u16_u8(values);
        const uint16x8_t twelves = vorrq_u16(
            vshlq_n_u16(vandq_u16(halves, vdupq_n_u16(0x3F)), 6), vshrq_n_u16(halves, 8));
        const uint32x4_t words = vreinterpretq_u32_u16(twelves);
        const uint32x4_t bits = vorrq_u32(
            vshlq_n_u32(vandq_u32(words, vdupq_n_u32(0xFFF)), 12), vshrq_n_u32(words, 16));
        vst1q_u8(q, vqtbl1q_u8(vreinterpretq_u8_u32(bits), pack));
        if (bad == 0) {
            p += 16;
            q += 12;
            continue;
        }
        if (!martlet_base64_step(in, (size_t)__builtin_ctzll(bad) / 4, &p, &q)) break;
    }
    *written = (size_t)(q - out);
    return (size_t)(p - in);
}

#endif

/* `variant` must be one that the processor can run. */
static inline size_t martlet_base64_read(
    martlet_variant variant, const uint8_t *in, size_t count, uint8_t *out, size_t *written) {
    switch (variant) {
#if defined(__x86_64__)
    case MARTLET_SSSE3:
        return martlet_base64_read_ssse3(in, count, out, written);
    case MARTLET_AVX2:
        return martlet_base64_read_avx2(in, count, out, written);
#elif defined(__aarch64__)
    case MARTLET_NEON:
        return martlet_base64_read_neon(in, count, out, written);
#endif
    default:
        return martlet_base64_read_portable(in, count, out, written);
    }
}

#endif

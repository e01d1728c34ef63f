#ifndef CMARTLET_OCTETS_BASE64_WRITE_H
#define CMARTLET_OCTETS_BASE64_WRITE_H

/* The inner loops of writing base64, RFC 4648 section 4. `variant` must be one that the processor can run. */
#include "variant.h"
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* 64 characters without a NUL behind them. */
static const uint8_t martlet_base64_alphabet[64] = {
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V',
    'W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r',
    's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '/',
};

/* The characters of the last one to three octets, with padding. */
static inline void martlet_base64_write_quantum(const uint8_t *in, size_t count, uint8_t *out) {
    const uint8_t *const alphabet = martlet_base64_alphabet;
    const uint32_t bits =
        (uint32_t)in[0] << 16 | (uint32_t)(count > 1 ? in[1] : 0) << 8 | (uint32_t)(count > 2 ? in[2] : 0);
    out[0] = alphabet[bits >> 18];
    out[1] = alphabet[bits >> 12 & 63];
    out[2] = count > 1 ? alphabet[bits >> 6 & 63] : '=';
    out[3] = count > 2 ? alphabet[bits & 63] : '=';
}

/* Blocks: writes the characters of the first `count` octets, a multiple of three, of which `readable` can be read, into
   `out`, which has room for `room`. Reads and stores whole blocks, never beyond either; what is behind the characters is
   arbitrary. The result is the number of octets that were done, a multiple of three, or `count`. */
#if defined(__x86_64__)

/* The two 16-bit halves of each 32 bits get the octets of two characters each: b a, c b (low octet first). */
#define MARTLET_SPREAD 1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10
/* What is added to a value: first for 26...51, then the ten digits, plus, slash, and last for 0...25. */
#define MARTLET_SHIFT 'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, \
    '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0

__attribute__((target("ssse3"))) static size_t martlet_base64_blocks_ssse3(
    const uint8_t *in, size_t count, size_t readable, uint8_t *out, size_t room) {
    const __m128i spread = _mm_setr_epi8(MARTLET_SPREAD), shift = _mm_setr_epi8(MARTLET_SHIFT);
    size_t done = 0;
    while (done < count && readable - done >= 16 && room - done / 3 * 4 >= 16) {
        const __m128i octets = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(in + done)), spread);
        const __m128i odd = _mm_mulhi_epu16(
            _mm_and_si128(octets, _mm_set1_epi32(0x0FC0FC00)), _mm_set1_epi32(0x04000040));
        const __m128i even = _mm_mullo_epi16(
            _mm_and_si128(octets, _mm_set1_epi32(0x003F03F0)), _mm_set1_epi32(0x01000010));
        const __m128i values = _mm_or_si128(odd, even);
        const __m128i upper = _mm_and_si128(_mm_cmpgt_epi8(_mm_set1_epi8(26), values), _mm_set1_epi8(13));
        const __m128i kind = _mm_or_si128(_mm_subs_epu8(values, _mm_set1_epi8(51)), upper);
        _mm_storeu_si128(
            (__m128i *)(out + done / 3 * 4), _mm_add_epi8(values, _mm_shuffle_epi8(shift, kind)));
        done += 12;
    }
    return done < count ? done : count;
}

__attribute__((target("avx2"))) static size_t martlet_base64_blocks_avx2(
    const uint8_t *in, size_t count, size_t readable, uint8_t *out, size_t room) {
    const __m256i spread = _mm256_setr_epi8(MARTLET_SPREAD, MARTLET_SPREAD);
    const __m256i shift = _mm256_setr_epi8(MARTLET_SHIFT, MARTLET_SHIFT);
    size_t done = 0;
    while (done < count && readable - done >= 28 && room - done / 3 * 4 >= 32) {
        const __m256i octets = _mm256_shuffle_epi8(
            _mm256_set_m128i(
                _mm_loadu_si128((const __m128i *)(in + done + 12)), _mm_loadu_si128((const __m128i *)(in + done))),
            spread);
        const __m256i odd = _mm256_mulhi_epu16(
            _mm256_and_si256(octets, _mm256_set1_epi32(0x0FC0FC00)), _mm256_set1_epi32(0x04000040));
        const __m256i even = _mm256_mullo_epi16(
            _mm256_and_si256(octets, _mm256_set1_epi32(0x003F03F0)), _mm256_set1_epi32(0x01000010));
        const __m256i values = _mm256_or_si256(odd, even);
        const __m256i upper =
            _mm256_and_si256(_mm256_cmpgt_epi8(_mm256_set1_epi8(26), values), _mm256_set1_epi8(13));
        const __m256i kind = _mm256_or_si256(_mm256_subs_epu8(values, _mm256_set1_epi8(51)), upper);
        _mm256_storeu_si256(
            (__m256i *)(out + done / 3 * 4), _mm256_add_epi8(values, _mm256_shuffle_epi8(shift, kind)));
        done += 24;
    }
    return done < count ? done : count;
}

#elif defined(__aarch64__)

static inline size_t martlet_base64_blocks_neon(
    const uint8_t *in, size_t count, size_t readable, uint8_t *out, size_t room) {
    static const uint8_t spread_octets[16] = {1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10};
    static const int16_t right[8] = {-10, -6, -10, -6, -10, -6, -10, -6}, left[8] = {4, 8, 4, 8, 4, 8, 4, 8};
    const uint8x16_t spread = vld1q_u8(spread_octets);
    const uint8x16x4_t alphabet = vld1q_u8_x4(martlet_base64_alphabet);
    size_t done = 0;
    while (done < count && readable - done >= 16 && room - done / 3 * 4 >= 16) {
        const uint8x16_t octets = vqtbl1q_u8(vld1q_u8(in + done), spread);
        const uint16x8_t odd = vshlq_u16(
            vreinterpretq_u16_u8(vandq_u8(octets, vreinterpretq_u8_u32(vdupq_n_u32(0x0FC0FC00)))), vld1q_s16(right));
        const uint16x8_t even = vshlq_u16(
            vreinterpretq_u16_u8(vandq_u8(octets, vreinterpretq_u8_u32(vdupq_n_u32(0x003F03F0)))), vld1q_s16(left));
        vst1q_u8(out + done / 3 * 4, vqtbl4q_u8(alphabet, vreinterpretq_u8_u16(vorrq_u16(odd, even))));
        done += 12;
    }
    return done < count ? done : count;
}

#endif

static inline size_t martlet_base64_blocks(
    martlet_variant variant, const uint8_t *in, size_t count, size_t readable, uint8_t *out, size_t room) {
    switch (variant) {
#if defined(__x86_64__)
    case MARTLET_SSSE3:
        return martlet_base64_blocks_ssse3(in, count, readable, out, room);
    case MARTLET_AVX2:
        return martlet_base64_blocks_avx2(in, count, readable, out, room);
#elif defined(__aarch64__)
    case MARTLET_NEON:
        return martlet_base64_blocks_neon(in, count, readable, out, room);
#endif
    default:
        return 0;
    }
}

/* Encodes `count` octets into `(count + 2) / 3 * 4` characters, for which `out` has room. */
static inline void martlet_base64_write(martlet_variant variant, const uint8_t *in, size_t count, uint8_t *out) {
    size_t done = martlet_base64_blocks(variant, in, count / 3 * 3, count, out, (count + 2) / 3 * 4);
    for (; done < count; done += 3)
        martlet_base64_write_quantum(in + done, count - done, out + done / 3 * 4);
}

/* Encodes `lines` times 57 octets into lines of 76 characters, each with CR LF: 78 octets a line in `out`. */
static inline void martlet_base64_write_lines(martlet_variant variant, const uint8_t *in, size_t lines, uint8_t *out) {
    for (; lines > 0; lines--) {
        size_t done = martlet_base64_blocks(variant, in, 57, lines * 57, out, lines * 78);
        for (; done < 57; done += 3) martlet_base64_write_quantum(in + done, 3, out + done / 3 * 4);
        out[76] = '\r';
        out[77] = '\n';
        in += 57;
        out += 78;
    }
}

#endif

#ifndef CMARTLET_OCTETS_CANONICAL_H
#define CMARTLET_OCTETS_CANONICAL_H

/* The inner loop of the canonical body of RFC 6376, sections 3.4.3 and 3.4.4.

   Where nothing is held back, 64 octets at a time become bit masks of blanks and line ends; from these come the places
   where something has to change, and what is between them is copied. Everything else goes octet by octet. */
#include "variant.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN)
#include <arm_neon.h>
#endif

typedef struct martlet_canonical {
    /* Line ends that are not written yet: all that follow may be the last. */
    size_t line_ends;
    martlet_variant variant;
    /* Runs of blanks count as one, and none before a line end. */
    uint8_t is_relaxed;
    /* A CR without LF ends a line; else it is an octet like others. */
    uint8_t bare_cr_ends_line;
    /* Blanks were there that are not written yet (relaxed only). */
    uint8_t has_blank;
    /* A CR was there; what it is shows in the next octet. */
    uint8_t has_cr;
    /* Something was written. */
    uint8_t has_content;
} martlet_canonical;

/* Which of 64 octets are spaces, tabs, CR and LF: bit n is octet n. */
typedef struct {
    uint64_t space, tab, cr, lf;
} martlet_canonical_masks;

/* The octets of a word that are equal to `octet`, as eight bits. */
static inline uint64_t martlet_canonical_equal(uint64_t word, uint8_t octet)
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    const uint64_t other = word ^ (0x0101010101010101u * octet);
    /* The high bit of each octet is set if the octet is zero. */
    const uint64_t equal = ~(((other & low) + low) | other | low);
    return ((equal >> 7) * 0x0102040810204080u) >> 56;
}

static inline martlet_canonical_masks martlet_canonical_look(const uint8_t *octets)
{
    martlet_canonical_masks masks = {0, 0, 0, 0};
    for (int index = 0; index < 64; index += 8) {
        uint64_t word;
        memcpy(&word, octets + index, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        masks.space |= martlet_canonical_equal(word, ' ') << index;
        masks.tab |= martlet_canonical_equal(word, '\t') << index;
        masks.cr |= martlet_canonical_equal(word, '\r') << index;
        masks.lf |= martlet_canonical_equal(word, '\n') << index;
    }
    return masks;
}

/* Where a block of 64 octets changes: what goes, and what becomes CRLF. */
typedef struct {
    uint64_t dropped, line_ends, tabs;
} martlet_canonical_changes;

/* Writes 64 octets as they have to be. Like all variants it may write up to 64 octets that do not count. */
static inline uint8_t *martlet_canonical_squeeze(
    uint8_t *out, const uint8_t *in, martlet_canonical_changes changes)
{
    uint64_t places = changes.dropped | changes.line_ends | changes.tabs;
    unsigned done = 0;
    while (places != 0) {
        const unsigned place = (unsigned)__builtin_ctzll(places);
        memcpy(out, in + done, 16);
        if (place - done > 16) memcpy(out + 16, in + done + 16, 48);
        out += place - done;
        done = place + 1;
        if (changes.line_ends >> place & 1) {
            *out++ = '\r';
            *out++ = '\n';
        } else if (changes.dropped >> place & 1) {
            /* All of the run that go. */
            const uint64_t rest = ~(changes.dropped >> place);
            done = rest == 0 ? 64 : place + (unsigned)__builtin_ctzll(rest);
            if (done == 64) return out;
            places &= ~(uint64_t)0 << done;
            continue;
        } else {
            *out++ = ' ';
        }
        places &= places - 1;
    }
    memcpy(out, in + done, 64);
    return out + (64 - done);
}

#if defined(__x86_64__) || (defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN))
/* The places of the bits that are set, from the lowest, an octet each: what moves the octets that are kept together. */
static const uint64_t martlet_canonical_places[256] = {
    0x0000000000000000u, 0x0000000000000000u, 0x0000000000000001u, 0x0000000000000100u, 0x0000000000000002u,
    0x0000000000000200u, 0x0000000000000201u, 0x0000000000020100u, 0x0000000000000003u, 0x0000000000000300u,
    0x0000000000000301u, 0x0000000000030100u, 0x0000000000000302u, 0x0000000000030200u, 0x0000000000030201u,
    0x0000000003020100u, 0x0000000000000004u, 0x0000000000000400u, 0x0000000000000401u, 0x0000000000040100u,
    0x0000000000000402u, 0x0000000000040200u, 0x0000000000040201u, 0x0000000004020100u, 0x0000000000000403u,
    0x0000000000040300u, 0x0000000000040301u, 0x0000000004030100u, 0x0000000000040302u, 0x0000000004030200u,
    0x0000000004030201u, 0x0000000403020100u, 0x0000000000000005u, 0x0000000000000500u, 0x0000000000000501u,
    0x0000000000050100u, 0x0000000000000502u, 0x0000000000050200u, 0x0000000000050201u, 0x0000000005020100u,
    0x0000000000000503u, 0x0000000000050300u, 0x0000000000050301u, 0x0000000005030100u, 0x0000000000050302u,
    0x0000000005030200u, 0x0000000005030201u, 0x0000000503020100u, 0x0000000000000504u, 0x0000000000050400u,
    0x0000000000050401u, 0x0000000005040100u, 0x0000000000050402u, 0x0000000005040200u, 0x0000000005040201u,
    0x0000000504020100u, 0x0000000000050403u, 0x0000000005040300u, 0x0000000005040301u, 0x0000000504030100u,
    0x0000000005040302u, 0x0000000504030200u, 0x0000000504030201u, 0x0000050403020100u, 0x0000000000000006u,
    0x0000000000000600u, 0x0000000000000601u, 0x0000000000060100u, 0x0000000000000602u, 0x0000000000060200u,
    0x0000000000060201u, 0x0000000006020100u, 0x0000000000000603u, 0x0000000000060300u, 0x0000000000060301u,
    0x0000000006030100u, 0x0000000000060302u, 0x0000000006030200u, 0x0000000006030201u, 0x0000000603020100u,
    0x0000000000000604u, 0x0000000000060400u, 0x0000000000060401u, 0x0000000006040100u, 0x0000000000060402u,
    0x0000000006040200u, 0x0000000006040201u, 0x0000000604020100u, 0x0000000000060403u, 0x0000000006040300u,
    0x0000000006040301u, 0x0000000604030100u, 0x0000000006040302u, 0x0000000604030200u, 0x0000000604030201u,
    0x0000060403020100u, 0x0000000000000605u, 0x0000000000060500u, 0x0000000000060501u, 0x0000000006050100u,
    0x0000000000060502u, 0x0000000006050200u, 0x0000000006050201u, 0x0000000605020100u, 0x0000000000060503u,
    0x0000000006050300u, 0x0000000006050301u, 0x0000000605030100u, 0x0000000006050302u, 0x0000000605030200u,
    0x0000000605030201u, 0x0000060503020100u, 0x0000000000060504u, 0x0000000006050400u, 0x0000000006050401u,
    0x0000000605040100u, 0x0000000006050402u, 0x0000000605040200u, 0x0000000605040201u, 0x0000060504020100u,
    0x0000000006050403u, 0x0000000605040300u, 0x0000000605040301u, 0x0000060504030100u, 0x0000000605040302u,
    0x0000060504030200u, 0x0000060504030201u, 0x0006050403020100u, 0x0000000000000007u, 0x0000000000000700u,
    0x0000000000000701u, 0x0000000000070100u, 0x0000000000000702u, 0x0000000000070200u, 0x0000000000070201u,
    0x0000000007020100u, 0x0000000000000703u, 0x0000000000070300u, 0x0000000000070301u, 0x0000000007030100u,
    0x0000000000070302u, 0x0000000007030200u, 0x0000000007030201u, 0x0000000703020100u, 0x0000000000000704u,
    0x0000000000070400u, 0x0000000000070401u, 0x0000000007040100u, 0x0000000000070402u, 0x0000000007040200u,
    0x0000000007040201u, 0x0000000704020100u, 0x0000000000070403u, 0x0000000007040300u, 0x0000000007040301u,
    0x0000000704030100u, 0x0000000007040302u, 0x0000000704030200u, 0x0000000704030201u, 0x0000070403020100u,
    0x0000000000000705u, 0x0000000000070500u, 0x0000000000070501u, 0x0000000007050100u, 0x0000000000070502u,
    0x0000000007050200u, 0x0000000007050201u, 0x0000000705020100u, 0x0000000000070503u, 0x0000000007050300u,
    0x0000000007050301u, 0x0000000705030100u, 0x0000000007050302u, 0x0000000705030200u, 0x0000000705030201u,
    0x0000070503020100u, 0x0000000000070504u, 0x0000000007050400u, 0x0000000007050401u, 0x0000000705040100u,
    0x0000000007050402u, 0x0000000705040200u, 0x0000000705040201u, 0x0000070504020100u, 0x0000000007050403u,
    0x0000000705040300u, 0x0000000705040301u, 0x0000070504030100u, 0x0000000705040302u, 0x0000070504030200u,
    0x0000070504030201u, 0x0007050403020100u, 0x0000000000000706u, 0x0000000000070600u, 0x0000000000070601u,
    0x0000000007060100u, 0x0000000000070602u, 0x0000000007060200u, 0x0000000007060201u, 0x0000000706020100u,
    0x0000000000070603u, 0x0000000007060300u, 0x0000000007060301u, 0x0000000706030100u, 0x0000000007060302u,
    0x0000000706030200u, 0x0000000706030201u, 0x0000070603020100u, 0x0000000000070604u, 0x0000000007060400u,
    0x0000000007060401u, 0x0000000706040100u, 0x0000000007060402u, 0x0000000706040200u, 0x0000000706040201u,
    0x0000070604020100u, 0x0000000007060403u, 0x0000000706040300u, 0x0000000706040301u, 0x0000070604030100u,
    0x0000000706040302u, 0x0000070604030200u, 0x0000070604030201u, 0x0007060403020100u, 0x0000000000070605u,
    0x0000000007060500u, 0x0000000007060501u, 0x0000000706050100u, 0x0000000007060502u, 0x0000000706050200u,
    0x0000000706050201u, 0x0000070605020100u, 0x0000000007060503u, 0x0000000706050300u, 0x0000000706050301u,
    0x0000070605030100u, 0x0000000706050302u, 0x0000070605030200u, 0x0000070605030201u, 0x0007060503020100u,
    0x0000000007060504u, 0x0000000706050400u, 0x0000000706050401u, 0x0000070605040100u, 0x0000000706050402u,
    0x0000070605040200u, 0x0000070605040201u, 0x0007060504020100u, 0x0000000706050403u, 0x0000070605040300u,
    0x0000070605040301u, 0x0007060504030100u, 0x0000070605040302u, 0x0007060504030200u, 0x0007060504030201u,
    0x0706050403020100u,
};

/* What eight octets become: what is kept of them, with CRLF between. */
#define MARTLET_CANONICAL_EIGHT(keep) \
    unsigned kept = (unsigned)(~changes.dropped >> index) & 0xFF; \
    unsigned ends = (unsigned)(changes.line_ends >> index) & 0xFF; \
    while (ends != 0) { \
        const unsigned below = (ends & -ends) - 1; \
        out = keep(out, text, kept & below); \
        *out++ = '\r'; \
        *out++ = '\n'; \
        kept &= ~(below << 1 | 1); \
        ends &= ends - 1; \
    } \
    out = keep(out, text, kept);
#endif

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline martlet_canonical_masks martlet_canonical_look_avx2(
    const uint8_t *octets)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)octets);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(octets + 32));
#define MARTLET_HALF(half, octet) \
    ((uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(half, _mm256_set1_epi8(octet))))
#define MARTLET_MASK(octet) (MARTLET_HALF(low, octet) | MARTLET_HALF(high, octet) << 32)
    const martlet_canonical_masks masks = {
        MARTLET_MASK(' '), MARTLET_MASK('\t'), MARTLET_MASK('\r'), MARTLET_MASK('\n')};
#undef MARTLET_MASK
#undef MARTLET_HALF
    return masks;
}

/* Writes those of eight octets whose bits are set. */
__attribute__((target("avx2,popcnt"))) static inline uint8_t *martlet_canonical_keep_avx2(
    uint8_t *out, __m128i text, unsigned kept)
{
    const __m128i places = _mm_loadl_epi64((const __m128i *)&martlet_canonical_places[kept]);
    _mm_storel_epi64((__m128i *)out, _mm_shuffle_epi8(text, places));
    return out + __builtin_popcount(kept);
}

__attribute__((target("avx2,popcnt"))) static inline uint8_t *martlet_canonical_squeeze_avx2(
    uint8_t *out, const uint8_t *in, martlet_canonical_changes changes)
{
    for (unsigned index = 0; index < 64; index += 8) {
        __m128i text = _mm_loadl_epi64((const __m128i *)(in + index));
        const __m128i is_tab = _mm_cmpeq_epi8(text, _mm_set1_epi8('\t'));
        text = _mm_add_epi8(text, _mm_and_si128(is_tab, _mm_set1_epi8(' ' - '\t')));
        MARTLET_CANONICAL_EIGHT(martlet_canonical_keep_avx2)
    }
    return out;
}
#elif defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN)
static inline uint64_t martlet_canonical_mask(
    uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d, uint8_t octet)
{
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vld1q_u8(weights), wanted = vdupq_n_u8(octet);
    uint8x16_t low = vpaddq_u8(
        vandq_u8(vceqq_u8(a, wanted), bits), vandq_u8(vceqq_u8(b, wanted), bits));
    const uint8x16_t high = vpaddq_u8(
        vandq_u8(vceqq_u8(c, wanted), bits), vandq_u8(vceqq_u8(d, wanted), bits));
    low = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(low, low)), 0);
}

static inline martlet_canonical_masks martlet_canonical_look_neon(const uint8_t *octets)
{
    const uint8x16_t a = vld1q_u8(octets), b = vld1q_u8(octets + 16);
    const uint8x16_t c = vld1q_u8(octets + 32), d = vld1q_u8(octets + 48);
    const martlet_canonical_masks masks = {
        martlet_canonical_mask(a, b, c, d, ' '), martlet_canonical_mask(a, b, c, d, '\t'),
        martlet_canonical_mask(a, b, c, d, '\r'), martlet_canonical_mask(a, b, c, d, '\n'),
    };
    return masks;
}

/* Writes those of eight octets whose bits are set. */
static inline uint8_t *martlet_canonical_keep_neon(uint8_t *out, uint8x8_t text, unsigned kept)
{
    vst1_u8(out, vtbl1_u8(text, vcreate_u8(martlet_canonical_places[kept])));
    return out + __builtin_popcount(kept);
}

static inline uint8_t *martlet_canonical_squeeze_neon(
    uint8_t *out, const uint8_t *in, martlet_canonical_changes changes)
{
    for (unsigned index = 0; index < 64; index += 8) {
        uint8x8_t text = vld1_u8(in + index);
        text = vbsl_u8(vceq_u8(text, vdup_n_u8('\t')), vdup_n_u8(' '), text);
        MARTLET_CANONICAL_EIGHT(martlet_canonical_keep_neon)
    }
    return out;
}
#endif
#undef MARTLET_CANONICAL_EIGHT

/* What is read behind a block of 64 at most, and written behind its up to 128 octets, since runs are copied in blocks. */
enum { martlet_canonical_ahead = 64, martlet_canonical_room = 64 };

/* Takes `count` blocks of 64 octets, behind which `martlet_canonical_ahead` more can be read, and writes them; `out` has
   128 octets for each block and `martlet_canonical_room`. Nothing is held before the first of them. The result is the
   number of octets that were written. */
static inline __attribute__((always_inline)) size_t martlet_canonical_blocks(
    martlet_canonical_masks (*const look)(const uint8_t *),
    uint8_t *(*const squeeze)(uint8_t *, const uint8_t *, martlet_canonical_changes),
    const martlet_canonical *state, const uint8_t *in, size_t count, uint8_t *out)
{
    uint8_t *const start = out;
    const int relaxed = state->is_relaxed, bare_cr_ends_line = state->bare_cr_ends_line;
    uint64_t after_cr = 0;
    for (; count > 0; count--, in += 64) {
        const martlet_canonical_masks masks = look(in);
        const uint8_t next = in[64];
        const uint64_t before_lf = masks.lf >> 1 | (uint64_t)(next == 10) << 63;
        const uint64_t bare_lf = masks.lf & ~(masks.cr << 1 | after_cr);
        const uint64_t bare_cr = bare_cr_ends_line ? masks.cr & ~before_lf : 0;
        martlet_canonical_changes changes = {0, bare_lf | bare_cr, 0};
        after_cr = masks.cr >> 63;
        if (relaxed) {
            /* A blank goes if another follows or its line ends. */
            const uint64_t blanks = masks.space | masks.tab;
            const uint64_t before = blanks | changes.line_ends | (masks.cr & before_lf);
            const int goes = next == 32 || next == 9 || next == 10
                || (next == 13 && (bare_cr_ends_line || in[65] == 10));
            changes.dropped = blanks & (before >> 1 | (uint64_t)goes << 63);
            changes.tabs = masks.tab;
        }
        if ((changes.dropped | changes.tabs) != 0) {
            out = squeeze(out, in, changes);
            continue;
        }
        /* What is between line ends that are written anew. */
        unsigned done = 0;
        while (changes.line_ends != 0) {
            const unsigned end = (unsigned)__builtin_ctzll(changes.line_ends);
            memcpy(out, in + done, 64);
            out += end - done;
            *out++ = 13;
            *out++ = 10;
            changes.line_ends &= changes.line_ends - 1;
            done = end + 1;
        }
        memcpy(out, in + done, 64);
        out += 64 - done;
    }
    return (size_t)(out - start);
}

#if defined(__x86_64__)
__attribute__((target("avx2,popcnt"))) static size_t martlet_canonical_blocks_avx2(
    const martlet_canonical *state, const uint8_t *in, size_t count, uint8_t *out)
{
    return martlet_canonical_blocks(
        martlet_canonical_look_avx2, martlet_canonical_squeeze_avx2, state, in, count, out);
}
#endif

static inline size_t martlet_canonical_run(
    const martlet_canonical *state, const uint8_t *in, size_t count, uint8_t *out)
{
#if defined(__x86_64__)
    if (state->variant == MARTLET_AVX2) return martlet_canonical_blocks_avx2(state, in, count, out);
#elif defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN)
    if (state->variant == MARTLET_NEON)
        return martlet_canonical_blocks(
            martlet_canonical_look_neon, martlet_canonical_squeeze_neon, state, in, count, out);
#endif
    return martlet_canonical_blocks(
        martlet_canonical_look, martlet_canonical_squeeze, state, in, count, out);
}

/* Writes the line ends and the blank that come before content, as many as there is room for. Whether that was all. */
static inline int martlet_canonical_settle(
    martlet_canonical *state, uint8_t *out, size_t *used, size_t capacity)
{
    while (state->line_ends > 0) {
        if (capacity - *used < 2) return 0;
        out[(*used)++] = 13;
        out[(*used)++] = 10;
        state->line_ends--;
    }
    if (state->has_blank) {
        if (capacity == *used) return 0;
        out[(*used)++] = 32;
        state->has_blank = 0;
    }
    return 1;
}

static inline void martlet_canonical_end_line(martlet_canonical *state)
{
    state->has_blank = 0;
    state->line_ends++;
}

/* Takes octets until they are at their end or `out` is nearly full; `*used` counts what was written. `capacity` is 1,024
   at least. The result is the number of octets that were taken: none where only what was held has been written. */
static inline size_t martlet_canonical_add(
    martlet_canonical *state, const uint8_t *in, size_t count, uint8_t *out, size_t capacity,
    size_t *used)
{
    size_t index = 0, written = 0;
    while (index < count && capacity - written >= 32) {
        const uint8_t octet = in[index];
        if (state->line_ends == 0 && !state->has_blank && !state->has_cr
            && count - index >= 64 + martlet_canonical_ahead
            && capacity - written >= 128 + martlet_canonical_room) {
            const size_t there = (count - index - martlet_canonical_ahead) / 64;
            const size_t room = (capacity - written - martlet_canonical_room) / 128;
            const size_t blocks = there < room ? there : room, start = written;
            written += martlet_canonical_run(state, in + index, blocks, out + written);
            index += blocks * 64;
            /* A CR whose LF is still to come, and line ends that may be the last, are held. */
            if (in[index - 1] == 13 && in[index] == 10) {
                written--;
                state->has_cr = 1;
            }
            while (written - start >= 2 && out[written - 1] == 10) {
                written -= 2;
                state->line_ends++;
            }
            if (written > start) state->has_content = 1;
            continue;
        }
        if (state->has_cr) {
            if (octet == 10) {
                state->has_cr = 0;
                martlet_canonical_end_line(state);
                index++;
                continue;
            }
            if (state->bare_cr_ends_line) {
                martlet_canonical_end_line(state);
            } else {
                if (!martlet_canonical_settle(state, out, &written, capacity - 16)) break;
                out[written++] = 13;
                state->has_content = 1;
            }
            state->has_cr = 0;
        }
        if (octet == 10) {
            martlet_canonical_end_line(state);
        } else if (octet == 13) {
            state->has_cr = 1;
        } else if (state->is_relaxed && (octet == 32 || octet == 9)) {
            state->has_blank = 1;
        } else {
            if (!martlet_canonical_settle(state, out, &written, capacity - 16)) break;
            out[written++] = octet;
            state->has_content = 1;
        }
        index++;
    }
    *used = written;
    return index;
}

/* The body is complete: writes what is left, or as much of it as there is room for. Whether that was all. */
static inline int martlet_canonical_finish(
    martlet_canonical *state, uint8_t *out, size_t capacity, size_t *used)
{
    size_t written = 0;
    int done = 1;
    if (state->has_cr && !state->bare_cr_ends_line) {
        done = martlet_canonical_settle(state, out, &written, capacity - 16);
        if (done) {
            out[written++] = 13;
            state->has_content = 1;
            state->has_cr = 0;
        }
    }
    if (done && (state->has_content || !state->is_relaxed)) {
        out[written++] = 13;
        out[written++] = 10;
    }
    *used = written;
    return done;
}

#endif

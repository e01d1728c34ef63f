#ifndef CMARTLET_OCTETS_QUOTED_PRINTABLE_H
#define CMARTLET_OCTETS_QUOTED_PRINTABLE_H

/* The inner loop of reading quoted-printable: copies runs of octets, reads whole escapes and soft line breaks.

   An `=` that begins neither an escape nor a soft break stands for itself. It stops in front of what needs more thought:
   an `=` with a blank or a lone CR behind it, blanks in front of a line end, blanks at the end of what was read, and near
   the end of the input, where a block no longer fits. The caller goes on from there octet by octet.

   `out`: room for `count` octets, all of which may be stored to. The numbers of the result never exceed `count`. */
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define X 0xFF
#define X16 X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X
static const uint8_t martlet_hex_values[256] = {
    X16, X16, X16,
    0, 1,  2,  3,  4,  5,  6,  7, 8, 9, X, X, X, X, X, X,
    X, 10, 11, 12, 13, 14, 15, X, X, X, X, X, X, X, X, X, X16,
    X, 10, 11, 12, 13, 14, 15, X, X, X, X, X, X, X, X, X, X16,
    X16, X16, X16, X16, X16, X16, X16, X16,
};
#undef X16
#undef X

/* 0...15, or 0xFF for octets that are no hexadecimal digit of either case. */
static inline uint8_t martlet_hex_value(uint8_t octet) { return martlet_hex_values[octet]; }

static inline int martlet_is_blank(uint8_t octet) { return octet == ' ' || octet == '\t'; }

/* Copies the octets in front of the first `=`, or the first line end that has a blank in front of it. Reads and writes
   whole blocks of 16, none that reaches beyond `count`. */
static inline size_t martlet_quoted_printable_copy(const uint8_t *in, size_t count, uint8_t *out) {
    size_t done = 0;
#if defined(__x86_64__)
    const __m128i equals = _mm_set1_epi8('='), lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t');
    unsigned after_blank = 0;
    for (; count - done >= 16; done += 16) {
        const __m128i text = _mm_loadu_si128((const __m128i *)(in + done));
        const unsigned ends = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(text, lf), _mm_cmpeq_epi8(text, cr)));
        const unsigned blanks = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(text, space), _mm_cmpeq_epi8(text, tab)));
        const unsigned stops = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, equals))
            | (ends & (blanks << 1 | after_blank));
        _mm_storeu_si128((__m128i *)(out + done), text);
        if (stops != 0) return done + (size_t)__builtin_ctz(stops);
        after_blank = blanks >> 15;
    }
#elif defined(__aarch64__)
    uint8x16_t blanks_before = vdupq_n_u8(0);
    for (; count - done >= 16; done += 16) {
        const uint8x16_t text = vld1q_u8(in + done);
        const uint8x16_t ends = vorrq_u8(vceqq_u8(text, vdupq_n_u8('\n')), vceqq_u8(text, vdupq_n_u8('\r')));
        const uint8x16_t blanks = vorrq_u8(vceqq_u8(text, vdupq_n_u8(' ')), vceqq_u8(text, vdupq_n_u8('\t')));
        const uint8x16_t stops = vorrq_u8(
            vceqq_u8(text, vdupq_n_u8('=')), vandq_u8(ends, vextq_u8(blanks_before, blanks, 15)));
        vst1q_u8(out + done, text);
        const uint64_t found = vget_lane_u64(
            vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(stops), 4)), 0);
        if (found != 0) return done + (size_t)__builtin_ctzll(found) / 4;
        blanks_before = blanks;
    }
#else
    for (; count - done >= 16; done++) {
        const uint8_t octet = in[done];
        if (octet == '=') return done;
        if ((octet == '\n' || octet == '\r') && done > 0 && martlet_is_blank(in[done - 1])) return done;
        out[done] = octet;
    }
#endif
    return done;
}

struct martlet_quoted_printable_result {
    /* Octets that were read, and that were written. */
    size_t read, written;
    /* How many `=` stand for themselves, and where the first of them is. */
    size_t invalid, first_invalid;
};

static inline struct martlet_quoted_printable_result martlet_quoted_printable_read(
    const uint8_t *in, size_t count, uint8_t *out) {
    size_t read = 0, wrote = 0, invalid = 0, first_invalid = 0;
    for (;;) {
        const size_t run = martlet_quoted_printable_copy(in + read, count - read, out + wrote);
        read += run;
        wrote += run;
        if (count - read < 16 || in[read] != '=') {
            /* Literal blanks of this run may be in front of a line end. */
            for (size_t left = run; left > 0 && martlet_is_blank(in[read - 1]); left--) {
                read--;
                wrote--;
            }
            break;
        }
        /* Escapes often come in rows. At least 16 octets are there, so the first one can be read. */
        const size_t start = read;
        do {
            const uint8_t next = in[read + 1];
            const uint8_t high = martlet_hex_values[next], low = martlet_hex_values[in[read + 2]];
            if ((high | low) <= 15) {
                out[wrote++] = (uint8_t)(high << 4 | low);
                read += 3;
            } else if (next == '\n' || next == '\r' || martlet_is_blank(next)) {
                break;
            } else {
                if (invalid++ == 0) first_invalid = read;
                out[wrote++] = '=';
                read += 1;
            }
        } while (count - read >= 16 && in[read] == '=');
        if (read > start) continue;
        if (in[read + 1] == '\n') {
            read += 2;
        } else if (in[read + 1] == '\r' && in[read + 2] == '\n') {
            read += 3;
        } else {
            break;
        }
    }
    return (struct martlet_quoted_printable_result){read, wrote, invalid, first_invalid};
}

#endif

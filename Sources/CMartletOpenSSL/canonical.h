#ifndef CMARTLET_OPENSSL_CANONICAL_H
#define CMARTLET_OPENSSL_CANONICAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The inner loop of the canonical body of RFC 6376, sections 3.4.3 and 3.4.4. In C for the compiler's own vectors, which
   every processor has in some form; Swift's compare octet by octet. */

typedef struct martlet_canonical {
    /* Line ends that are not written yet: all that follow may be the last. */
    size_t line_ends;
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

typedef uint8_t martlet_canonical_octets __attribute__((vector_size(16)));

static inline martlet_canonical_octets martlet_canonical_load(const uint8_t *octets)
{
    martlet_canonical_octets vector;
    memcpy(&vector, octets, sizeof vector);
    return vector;
}

/* Marks the octets of 16 that may have to change: a line end that is not CRLF, or that is before an empty line; with
   `relaxed` also a tab, and a space before a blank or line end. Reads one octet before and one behind. */
static inline martlet_canonical_octets martlet_canonical_changes(const uint8_t *octets, int relaxed)
{
    const martlet_canonical_octets here = martlet_canonical_load(octets);
    const martlet_canonical_octets next = martlet_canonical_load(octets + 1);
    const martlet_canonical_octets is_lf = (martlet_canonical_octets)(here == 10);
    const martlet_canonical_octets next_is_lf = (martlet_canonical_octets)(next == 10);
    const martlet_canonical_octets before_is_cr = (martlet_canonical_octets)(martlet_canonical_load(octets - 1) == 13);
    /* A CR without LF, and an LF without CR; then an LF before a line end. */
    martlet_canonical_octets marks = ((martlet_canonical_octets)(here == 13) & ~next_is_lf) | (is_lf & ~before_is_cr)
        | (is_lf & ((martlet_canonical_octets)(next == 13) | next_is_lf));
    if (relaxed) {
        marks |= (martlet_canonical_octets)(here == 9);
        marks |= (martlet_canonical_octets)(here == 32) & (martlet_canonical_octets)(next <= 32);
    }
    return marks;
}

/* The first octet that is marked; 16 if none is. */
static inline size_t martlet_canonical_first(martlet_canonical_octets marks)
{
    uint64_t words[2];
    memcpy(words, &marks, sizeof words);
    if ((words[0] | words[1]) == 0)
        return 16;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (words[0] != 0)
        return (size_t)__builtin_ctzll(words[0]) / 8;
    return 8 + (size_t)__builtin_ctzll(words[1]) / 8;
#else
    size_t index = 0;
    while (marks[index] == 0)
        index++;
    return index;
#endif
}

/* Writes the line ends and the blank that come before content, as many as there is room for. Whether that was all. */
static inline int martlet_canonical_settle(
    martlet_canonical *state, uint8_t *out, size_t *used, size_t capacity)
{
    while (state->line_ends > 0) {
        if (capacity - *used < 2)
            return 0;
        out[(*used)++] = 13;
        out[(*used)++] = 10;
        state->line_ends--;
    }
    if (state->has_blank) {
        if (capacity == *used)
            return 0;
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

/* Takes octets until they are at their end or `out` is nearly full; `*used` counts what was written. `capacity` is 64 at
   least. The result is the number of octets that were taken. */
static inline size_t martlet_canonical_add(
    martlet_canonical *state, const uint8_t *in, size_t count, uint8_t *out, size_t capacity,
    size_t *used)
{
    size_t index = 0, written = 0;
    const int relaxed = state->is_relaxed;
    while (index < count && capacity - written >= 32) {
        const uint8_t octet = in[index];
        if (state->line_ends == 0 && !state->has_blank && !state->has_cr && index > 0
            && count - index >= 17) {
            /* Nothing is held: octets are copied as they are. 17 can be read from here, 32 be written. */
            size_t plain = 16;
            const size_t start = index;
            while (plain == 16 && count - index >= 17 && capacity - written >= 32) {
                plain = martlet_canonical_first(martlet_canonical_changes(in + index, relaxed));
                memcpy(out + written, in + index, 16);
                index += plain;
                written += plain;
            }
            if (index > start) {
                /* A CRLF at the end of the run may be the last one: it is held. It lies in the run, whole or with its
                   CR, since every other line end would have ended the run before it. */
                state->has_content = 1;
                if (in[index - 1] == 10) {
                    written -= 2;
                    state->line_ends = 1;
                } else if (in[index - 1] == 13) {
                    written -= 1;
                    state->has_cr = 1;
                }
                continue;
            }
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
                if (!martlet_canonical_settle(state, out, &written, capacity - 16))
                    break;
                out[written++] = 13;
                state->has_content = 1;
            }
            state->has_cr = 0;
        }
        if (octet == 10) {
            martlet_canonical_end_line(state);
        } else if (octet == 13) {
            state->has_cr = 1;
        } else if (relaxed && (octet == 32 || octet == 9)) {
            state->has_blank = 1;
        } else {
            if (!martlet_canonical_settle(state, out, &written, capacity - 16))
                break;
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

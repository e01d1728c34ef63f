#ifndef CMARTLET_UTF8_VALID_H
#define CMARTLET_UTF8_VALID_H

/* UTF-8 looked at in blocks of 64 octets. Each octet is compared with what the three before it ask for, so
 * that there is no branch for each character and all text takes the same time. RFC 3629 section 4.
 *
 * In C, since Swift's vectors of 16 octets are compared one octet at a time. The compiler's own vectors are
 * used, which every processor here has. */

#include <stddef.h>
#include <stdint.h>

typedef uint8_t martlet_utf8_octets16 __attribute__((vector_size(16)));
typedef uint64_t martlet_words2 __attribute__((vector_size(16)));

enum { martlet_utf8_block_size = 64 };

static inline martlet_utf8_octets16 martlet_utf8_load16(const uint8_t *octets)
{
    martlet_utf8_octets16 value;
    __builtin_memcpy(&value, octets, sizeof value);
    return value;
}

static inline int martlet_is_zero16(martlet_utf8_octets16 octets)
{
    martlet_words2 words = (martlet_words2)octets;
    return (words[0] | words[1]) == 0;
}

/* Not zero where one of 16 octets is no UTF-8 behind the three before it. */
static inline martlet_utf8_octets16 martlet_utf8_broken16(const uint8_t *place)
{
    martlet_utf8_octets16 octets = martlet_utf8_load16(place);
    martlet_utf8_octets16 before = martlet_utf8_load16(place - 1);
    martlet_utf8_octets16 is_continuation = (martlet_utf8_octets16)((octets & 0xC0) == 0x80);
    martlet_utf8_octets16 is_asked_for = (martlet_utf8_octets16)(before >= 0xC2)
        | (martlet_utf8_octets16)(martlet_utf8_load16(place - 2) >= 0xE0)
        | (martlet_utf8_octets16)(martlet_utf8_load16(place - 3) >= 0xF0);
    martlet_utf8_octets16 is_never =
        (martlet_utf8_octets16)((octets & 0xFE) == 0xC0) | (martlet_utf8_octets16)(octets >= 0xF5);
    /* Behind E0 below U+0800, behind ED a surrogate, behind F0 below U+10000, behind F4 above U+10FFFF */
    martlet_utf8_octets16 is_low = (martlet_utf8_octets16)((octets & 0x20) == 0);
    martlet_utf8_octets16 is_lowest = (martlet_utf8_octets16)((octets & 0x30) == 0);
    martlet_utf8_octets16 is_outside = ((martlet_utf8_octets16)(before == 0xE0) & is_low)
        | ((martlet_utf8_octets16)(before == 0xED) & ~is_low)
        | ((martlet_utf8_octets16)(before == 0xF0) & is_lowest)
        | ((martlet_utf8_octets16)(before == 0xF4) & ~is_lowest);
    return (is_continuation ^ is_asked_for) | is_never | is_outside;
}

/* Passes whole blocks from `start` on as long as nothing in them is broken; returns where the first other one
 * begins. There must be three octets or more before `start`. All loads are between `octets + start - 3` and
 * `octets + count`. */
static inline size_t martlet_utf8_pass_blocks(const uint8_t *octets, size_t start, size_t count)
{
    size_t offset = start;
    while (count - offset >= martlet_utf8_block_size) {
        const uint8_t *place = octets + offset;
        martlet_utf8_octets16 high = martlet_utf8_load16(place) | martlet_utf8_load16(place + 16)
            | martlet_utf8_load16(place + 32) | martlet_utf8_load16(place + 48);
        /* Also in a block of ASCII, the first octets may be asked for. */
        martlet_utf8_octets16 broken = martlet_utf8_broken16(place);
        if (!martlet_is_zero16(high & 0x80))
            broken |= martlet_utf8_broken16(place + 16) | martlet_utf8_broken16(place + 32)
                | martlet_utf8_broken16(place + 48);
        if (!martlet_is_zero16(broken))
            break;
        offset += martlet_utf8_block_size;
    }
    return offset;
}

#endif

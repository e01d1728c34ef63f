#ifndef CMARTLET_OCTETS_SCAN_H
#define CMARTLET_OCTETS_SCAN_H

/* Looking for octets at the speed of the C library. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The offset of the first `octet` among `count` octets; `count` if there is none. */
static inline size_t martlet_first(const uint8_t *octets, size_t count, uint8_t octet) {
    if (count == 0) return 0;
    const void *found = memchr(octets, octet, count);
    return found ? (size_t)((const uint8_t *)found - octets) : count;
}

/* Sixteen octets at once, with the instructions that the machine has for that. */
typedef uint8_t martlet_octets16 __attribute__((vector_size(16)));
typedef uint64_t martlet_words2 __attribute__((vector_size(16)));

/* Octets of ones where `first` is followed by `second`. 17 octets must be there. */
static inline martlet_octets16 martlet_pairs(
    const uint8_t *octets, martlet_octets16 first, martlet_octets16 second) {
    martlet_octets16 here, next;
    memcpy(&here, octets, 16);
    memcpy(&next, octets + 1, 16);
    return (martlet_octets16)((here == first) & (next == second));
}

/* The offset of the first `first` that `second` follows at once, among `count` octets; `count` if there is none. */
static inline size_t martlet_first_pair(const uint8_t *octets, size_t count, uint8_t first, uint8_t second) {
    martlet_octets16 firsts = {0}, seconds = {0};
    firsts += first;
    seconds += second;
    size_t offset = 0;
    /* In bounds: the last octet that is looked at is `offset + 64`. */
    while (offset + 65 <= count) {
        martlet_words2 any = (martlet_words2)(
            martlet_pairs(octets + offset, firsts, seconds) | martlet_pairs(octets + offset + 16, firsts, seconds)
            | martlet_pairs(octets + offset + 32, firsts, seconds)
            | martlet_pairs(octets + offset + 48, firsts, seconds));
        if (any[0] | any[1]) break;
        offset += 64;
    }
    while (offset + 1 < count) {
        if (octets[offset] == first && octets[offset + 1] == second) return offset;
        offset++;
    }
    return count;
}

#endif

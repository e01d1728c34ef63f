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

#endif

#ifndef CMARTLET_OCTETS_VARIANT_H
#define CMARTLET_OCTETS_VARIANT_H

/* Which instructions an inner loop is written in. All variants of a loop do the same; tests go through all of them that
   the processor can run. */
typedef enum {
    MARTLET_PORTABLE,
    MARTLET_SSSE3,
    MARTLET_AVX2,
    MARTLET_NEON,
} martlet_variant;

static inline int martlet_can_run(martlet_variant variant) {
    switch (variant) {
    case MARTLET_PORTABLE:
        return 1;
#if defined(__x86_64__)
    case MARTLET_SSSE3:
        return __builtin_cpu_supports("ssse3") != 0;
    case MARTLET_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
#elif defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN)
    case MARTLET_NEON:
        return 1;
#endif
    default:
        return 0;
    }
}

/* The fastest one here. */
static inline martlet_variant martlet_best_variant(void) {
    if (martlet_can_run(MARTLET_NEON)) return MARTLET_NEON;
    if (martlet_can_run(MARTLET_AVX2)) return MARTLET_AVX2;
    return martlet_can_run(MARTLET_SSSE3) ? MARTLET_SSSE3 : MARTLET_PORTABLE;
}

#endif

#ifndef CMARTLET_ICONV_H
#define CMARTLET_ICONV_H

/* Part of the C library on Linux, a library of its own on Apple's systems. */
#include <iconv.h>

#endif

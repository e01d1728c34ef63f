#ifndef CMARTLET_UCHARDET_H
#define CMARTLET_UCHARDET_H

/* pkg-config names the folder; without it, the header is found where most systems have it. */
#if __has_include(<uchardet.h>)
#include <uchardet.h>
#else
#include <uchardet/uchardet.h>
#endif

#endif

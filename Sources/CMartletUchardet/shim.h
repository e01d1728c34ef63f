#ifndef CMARTLET_UCHARDET_H
#define CMARTLET_UCHARDET_H

#include <uchardet.h>

#endif

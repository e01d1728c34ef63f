#ifndef CMARTLET_IDN2_H
#define CMARTLET_IDN2_H

#include <idn2.h>

#endif

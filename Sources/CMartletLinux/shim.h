#ifndef CMARTLET_LINUX_H
#define CMARTLET_LINUX_H

/* epoll and eventfd, which Swift's Glibc module leaves out. Empty on other systems. */
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#endif

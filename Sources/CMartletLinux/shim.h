#ifndef CMARTLET_LINUX_H
#define CMARTLET_LINUX_H

/* epoll, eventfd and accept4, which Swift's Glibc module leaves out. Empty on other systems. */
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);
#endif

#endif

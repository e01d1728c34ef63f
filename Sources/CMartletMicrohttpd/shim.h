#ifndef CMARTLET_MICROHTTPD_H
#define CMARTLET_MICROHTTPD_H

#include <microhttpd.h>

/* What Swift does not import: functions that take a variable number of arguments. */

typedef void *(*cmartlet_mhd_request_line)(void *context, const char *target,
                                           struct MHD_Connection *connection);

/* Before this version a request's header is parsed where it was received, and lines that end in LF alone, folded lines and
   NULs in fields are let through: see `RawHead.isOnPlainLines`. Being told to be strict adds little there, a Host and no
   space in the target, which we look at too, and sends the header of such a refusal twice. */
#define CMARTLET_MHD_IS_LENIENT (MHD_VERSION < 0x00097700)
static const int cmartlet_mhd_is_lenient = CMARTLET_MHD_IS_LENIENT;

/* Starts a server without a listening socket: connections are handed to it by MHD_add_connection. One thread waits for
   all of them. NULL when there is no memory or no descriptor for it. */
static inline struct MHD_Daemon *
cmartlet_mhd_start(size_t memory_per_connection, unsigned int silence_in_seconds,
                   unsigned int connections_per_address, void *context,
                   cmartlet_mhd_request_line request_line, MHD_AccessHandlerCallback request,
                   MHD_RequestCompletedCallback completed,
                   MHD_NotifyConnectionCallback connection)
{
#ifdef __linux__
  unsigned int polling = MHD_USE_EPOLL_INTERNAL_THREAD;
#else
  unsigned int polling = MHD_USE_POLL_INTERNAL_THREAD;
#endif
  return MHD_start_daemon(
      polling | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, request,
      context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION,
      connection, context, MHD_OPTION_URI_LOG_CALLBACK, request_line, context,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
      /* who accepts connections counts them: this one must never be reached */
      MHD_OPTION_CONNECTION_LIMIT, 1u << 30,
      MHD_OPTION_CONNECTION_TIMEOUT, silence_in_seconds,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, connections_per_address,
      MHD_OPTION_STRICT_FOR_CLIENT, CMARTLET_MHD_IS_LENIENT ? 0 : 1, MHD_OPTION_END);
}

/* Answers as HTTP/1.0 does, where a body ends with its connection: for a response of unknown length whose body is not sent,
   which this library otherwise calls chunked, and then sends the last chunk of. */
static inline void cmartlet_mhd_end_by_closing(struct MHD_Response *response)
{
  MHD_set_response_options(response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END);
}

/* The connection's socket, or -1. */
static inline int cmartlet_mhd_descriptor(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/* What MHD_OPTION_NOTIFY_CONNECTION left with the connection. */
static inline void *cmartlet_mhd_context(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/* Octets from the first of the request line to the last of the empty line behind the fields. */
static inline size_t cmartlet_mhd_header_size(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

#endif

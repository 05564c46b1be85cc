#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

// What Swift cannot call: functions with a variable number of arguments, and
// what of them is told by unions. Nothing else belongs here.

struct daybook_callbacks {
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback complete;
    MHD_NotifyConnectionCallback notify;
    void *(*begin)(void *, const char *, struct MHD_Connection *);
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
};

// A daemon on 127.0.0.1 that is run by the caller's own loop.
static inline struct MHD_Daemon *daybook_start(
    uint16_t port, const struct daybook_callbacks *calls, void *context,
    unsigned int connections, unsigned int seconds, size_t memory) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, calls->handle, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_NOTIFY_COMPLETED, calls->complete, context,
        MHD_OPTION_NOTIFY_CONNECTION, calls->notify, context,
        MHD_OPTION_URI_LOG_CALLBACK, calls->begin, context,
        MHD_OPTION_UNESCAPE_CALLBACK, calls->unescape, context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u,
        MHD_OPTION_END);
}

static inline int daybook_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : -1;
}

static inline int daybook_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int daybook_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Poll's sign that the other side has hung up, which some headers keep to GNU.
#ifdef __linux__
enum { daybook_hung_up = 0x2000 };
#else
enum { daybook_hung_up = 0 };
#endif

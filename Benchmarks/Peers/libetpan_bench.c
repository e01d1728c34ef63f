// Does with libetpan what imap-bench does.
//
//     cc -O2 libetpan_bench.c -letpan -o libetpan-bench
//     libetpan-bench WORK PORT [--tls] [--compress] [--mailbox NAME]
//
// WORK: envelopes, bodies, flags. Each message is looked at as it comes and not kept, which is the fastest way that the library
// has. With --tls it does not check the server's certificate. Prints one line of JSON.
#include <libetpan/libetpan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static long messages, octets;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void check(int result, const char *what) {
    if (result == MAILIMAP_NO_ERROR || result == MAILIMAP_NO_ERROR_AUTHENTICATED || result == MAILIMAP_NO_ERROR_NON_AUTHENTICATED)
        return;
    fprintf(stderr, "libetpan-bench: %s: error %d\n", what, result);
    exit(1);
}

static long count_parts(const struct mailimap_body *body) {
    if (body->bd_type == MAILIMAP_BODY_MPART) {
        long count = 1;
        clistiter *place = clist_begin(body->bd_data.bd_body_mpart->bd_list);
        for (; place != NULL; place = clist_next(place)) count += count_parts(clist_content(place));
        return count;
    }
    const struct mailimap_body_type_1part *part = body->bd_data.bd_body_1part;
    if (part->bd_type == MAILIMAP_BODY_TYPE_1PART_MSG) return 1 + count_parts(part->bd_data.bd_type_msg->bd_body);
    return 1;
}

static void count_static(const struct mailimap_msg_att_static *item) {
    switch (item->att_type) {
    case MAILIMAP_MSG_ATT_ENVELOPE:
        if (item->att_data.att_env->env_subject != NULL) octets += strlen(item->att_data.att_env->env_subject);
        break;
    case MAILIMAP_MSG_ATT_BODYSTRUCTURE: octets += count_parts(item->att_data.att_bodystructure); break;
    case MAILIMAP_MSG_ATT_BODY_SECTION: octets += item->att_data.att_body_section->sec_length; break;
    }
}

static void count(struct mailimap_msg_att *row, void *context) {
    (void)context;
    messages++;
    for (clistiter *place = clist_begin(row->att_list); place != NULL; place = clist_next(place)) {
        const struct mailimap_msg_att_item *item = clist_content(place);
        if (item->att_type == MAILIMAP_MSG_ATT_ITEM_STATIC)
            count_static(item->att_data.att_static);
        else if (item->att_data.att_dyn->att_list != NULL)
            octets += clist_count(item->att_data.att_dyn->att_list);
    }
}

// The library calls the handler of rows only where somebody wants to hear of its progress.
static void ignore(size_t current, size_t maximum, void *context) {
    (void)current, (void)maximum, (void)context;
}

static struct mailimap_fetch_type *items(const char *work) {
    struct mailimap_fetch_type *type = mailimap_fetch_type_new_fetch_att_list_empty();
    if (strcmp(work, "envelopes") == 0) {
        mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_envelope());
        mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_bodystructure());
    } else if (strcmp(work, "bodies") == 0) {
        mailimap_fetch_type_new_fetch_att_list_add(
            type, mailimap_fetch_att_new_body_peek_section(mailimap_section_new(NULL)));
    } else {
        mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_flags());
    }
    return type;
}

int main(int argc, char **argv) {
    int tls = 0, compress = 0;
    const char *mailbox = "INBOX";
    if (argc < 3) return 64;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--tls") == 0) tls = 1;
        else if (strcmp(argv[i], "--compress") == 0) compress = 1;
        else if (strcmp(argv[i], "--mailbox") == 0 && i + 1 < argc) mailbox = argv[++i];
        else return 64;
    }
    double start = now();
    mailimap *session = mailimap_new(0, NULL);
    if (tls)
        check(mailimap_ssl_connect(session, "localhost", atoi(argv[2])), "connect");
    else
        check(mailimap_socket_connect(session, "localhost", atoi(argv[2])), "connect");
    check(mailimap_login(session, "perf", "perfpw"), "login");
    if (compress) check(mailimap_compress(session), "compress");
    check(mailimap_examine(session, mailbox), "examine");
    double selected = now();
    mailimap_set_progress_callback(session, NULL, ignore, NULL);
    mailimap_set_msg_att_handler(session, count, NULL);
    struct mailimap_set *all = mailimap_set_new_interval(1, 0);
    struct mailimap_fetch_type *type = items(argv[1]);
    clist *rows = NULL;
    check(mailimap_uid_fetch(session, all, type, &rows), "fetch");
    double fetched = now();
    mailimap_fetch_list_free(rows);
    mailimap_fetch_type_free(type);
    mailimap_set_free(all);
    mailimap_logout(session);
    mailimap_free(session);
    double end = now();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"program\": \"libetpan %s\", \"work\": \"%s\", \"seconds\": %.4f, \"fetch_seconds\": %.4f, \"messages\": %ld, "
           "\"octets\": %ld, \"cpu_seconds\": %.4f, \"peak_MiB\": %.1f}\n",
        "1.9", argv[1], end - start, fetched - selected, messages, octets,
        usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
        usage.ru_maxrss / 1024.0);
    return 0;
}

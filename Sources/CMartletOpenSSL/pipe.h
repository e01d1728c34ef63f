#ifndef CMARTLET_OPENSSL_PIPE_H
#define CMARTLET_OPENSSL_PIPE_H

#include <string.h>

/*
 * The two ends of a TLS engine that has no socket: a BIO that reads from octets which the caller
 * lends for the time of one call, and appends what it writes to a buffer that grows.
 *
 * OpenSSL's own memory BIO copies what is fed in, and moves what is left on each write; here the
 * only copies are the ones the record layer makes itself.
 */
typedef struct martlet_pipe {
    const unsigned char *input;
    size_t input_count;
    unsigned char *output;
    size_t output_head;
    size_t output_tail;
    size_t output_capacity;
} martlet_pipe;

static inline int martlet_pipe_read(BIO *bio, char *target, int limit)
{
    martlet_pipe *pipe = (martlet_pipe *)BIO_get_data(bio);
    size_t count;
    BIO_clear_retry_flags(bio);
    if (target == NULL || limit <= 0)
        return 0;
    if (pipe->input_count == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    count = pipe->input_count < (size_t)limit ? pipe->input_count : (size_t)limit;
    memcpy(target, pipe->input, count);
    pipe->input += count;
    pipe->input_count -= count;
    return (int)count;
}

static inline int martlet_pipe_write(BIO *bio, const char *source, int count)
{
    martlet_pipe *pipe = (martlet_pipe *)BIO_get_data(bio);
    size_t needed;
    BIO_clear_retry_flags(bio);
    if (source == NULL || count <= 0)
        return 0;
    if (pipe->output_head == pipe->output_tail)
        pipe->output_head = pipe->output_tail = 0;
    needed = pipe->output_tail + (size_t)count;
    if (needed > pipe->output_capacity) {
        size_t capacity = pipe->output_capacity == 0 ? 4096 : pipe->output_capacity;
        unsigned char *larger;
        while (capacity < needed)
            capacity *= 2;
        larger = (unsigned char *)OPENSSL_realloc(pipe->output, capacity);
        if (larger == NULL)
            return -1;
        pipe->output = larger;
        pipe->output_capacity = capacity;
    }
    memcpy(pipe->output + pipe->output_tail, source, (size_t)count);
    pipe->output_tail = needed;
    return count;
}

static inline long martlet_pipe_control(BIO *bio, int command, long number, void *pointer)
{
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static inline int martlet_pipe_create(BIO *bio)
{
    BIO_set_init(bio, 1);
    return 1;
}

/* The buffers belong to the engine. */
static inline int martlet_pipe_destroy(BIO *bio)
{
    return bio != NULL;
}

/* Makes the method table. Once per process: OpenSSL has only some 100 indices to give. */
static inline BIO_METHOD *martlet_pipe_method(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "martlet");
    if (method == NULL)
        return NULL;
    BIO_meth_set_read(method, martlet_pipe_read);
    BIO_meth_set_write(method, martlet_pipe_write);
    BIO_meth_set_ctrl(method, martlet_pipe_control);
    BIO_meth_set_create(method, martlet_pipe_create);
    BIO_meth_set_destroy(method, martlet_pipe_destroy);
    return method;
}

#endif

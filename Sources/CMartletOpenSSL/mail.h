#ifndef CMARTLET_OPENSSL_MAIL_H
#define CMARTLET_OPENSSL_MAIL_H

#include <stdint.h>
#include <time.h>

/* What signing and encrypting mail needs and Swift does not import. */

static inline int64_t martlet_seconds_since_epoch(void)
{
    return (int64_t)time(NULL);
}

static inline EVP_PKEY *martlet_generate_rsa_key(unsigned int bits)
{
    return EVP_RSA_gen(bits);
}

static inline EVP_PKEY *martlet_generate_ed25519_key(void)
{
    return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

#endif

#ifndef CMARTLET_OPENSSL_MACROS_H
#define CMARTLET_OPENSSL_MACROS_H

/* Functions that OpenSSL spells as macros or as variadic functions, which Swift does not import. */

static inline int martlet_ctx_set_min_version(SSL_CTX *context, int version)
{
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int martlet_ctx_set_max_version(SSL_CTX *context, int version)
{
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

/* No compression (CRIME), no renegotiation (never needed by mail), the server's order of suites; and
 * the chain that is shown is the one that was given, not one put together from what is trusted. */
static inline void martlet_ctx_set_safe_options(SSL_CTX *context)
{
    SSL_CTX_set_options(context,
        SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(context, SSL_MODE_NO_AUTO_CHAIN);
}

static inline void martlet_ctx_set_session_cache_mode(SSL_CTX *context, long mode)
{
    SSL_CTX_set_session_cache_mode(context, mode);
}

static inline void martlet_ctx_set_max_chain(SSL_CTX *context, long octets)
{
    SSL_CTX_set_max_cert_list(context, octets);
}

static inline int martlet_ctx_add1_chain_certificate(SSL_CTX *context, X509 *certificate)
{
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int martlet_ssl_set_server_name(SSL *ssl, const char *name)
{
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int martlet_ssl_has_extended_master_secret(SSL *ssl)
{
    return SSL_get_extms_support(ssl) == 1;
}

static inline X509 *martlet_ssl_peer_certificate(const SSL *ssl)
{
    return SSL_get0_peer_certificate(ssl);
}

static inline int martlet_chain_count(const STACK_OF(X509) *chain)
{
    return chain == NULL ? 0 : sk_X509_num(chain);
}

static inline X509 *martlet_chain_certificate(const STACK_OF(X509) *chain, int index)
{
    return sk_X509_value(chain, index);
}

static inline void martlet_chain_free(STACK_OF(X509) *chain)
{
    sk_X509_pop_free(chain, X509_free);
}

static inline void martlet_names_free(GENERAL_NAMES *names)
{
    GENERAL_NAMES_free(names);
}

static inline int martlet_names_count(const GENERAL_NAMES *names)
{
    return names == NULL ? 0 : sk_GENERAL_NAME_num(names);
}

/* The octets of the name at `index`, and its type: GEN_DNS, GEN_IPADD; -1 for every other kind. */
static inline int martlet_names_get(
    const GENERAL_NAMES *names, int index, const unsigned char **octets, int *count)
{
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    const ASN1_STRING *string;
    if (name->type == GEN_DNS)
        string = name->d.dNSName;
    else if (name->type == GEN_IPADD)
        string = name->d.iPAddress;
    else
        return -1;
    *octets = ASN1_STRING_get0_data(string);
    *count = ASN1_STRING_length(string);
    return name->type;
}

/* RFC 4514 text, control characters escaped, UTF-8 left as it is. */
static inline int martlet_name_print(BIO *bio, const X509_NAME *name)
{
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

static inline long martlet_bio_memory(BIO *bio, const unsigned char **octets)
{
    char *data = NULL;
    long count = BIO_get_mem_data(bio, &data);
    *octets = (const unsigned char *)data;
    return count;
}

static inline EVP_PKEY *martlet_generate_p256_key(void)
{
    return EVP_EC_gen("P-256");
}

static inline void martlet_v3_context(X509V3_CTX *context, X509 *issuer, X509 *subject)
{
    X509V3_set_ctx_nodb(context);
    X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
}

#endif

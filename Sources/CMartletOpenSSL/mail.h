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

static inline STACK_OF(X509) *martlet_chain_new(void)
{
    return sk_X509_new_null();
}

/* Appends a reference of its own. */
static inline int martlet_chain_append(STACK_OF(X509) *chain, X509 *certificate)
{
    if (X509_up_ref(certificate) != 1)
        return 0;
    if (sk_X509_push(chain, certificate) > 0)
        return 1;
    X509_free(certificate);
    return 0;
}

/* The mail addresses of a certificate, from its subject and its alternative names; freed by martlet_texts_free. */
static inline STACK_OF(OPENSSL_STRING) *martlet_certificate_addresses(X509 *certificate)
{
    return X509_get1_email(certificate);
}

static inline int martlet_texts_count(const STACK_OF(OPENSSL_STRING) *texts)
{
    return texts == NULL ? 0 : sk_OPENSSL_STRING_num(texts);
}

static inline const char *martlet_texts_get(const STACK_OF(OPENSSL_STRING) *texts, int index)
{
    return sk_OPENSSL_STRING_value(texts, index);
}

static inline void martlet_texts_free(STACK_OF(OPENSSL_STRING) *texts)
{
    X509_email_free(texts);
}

/* The content of a structure, of which `*octets` becomes the start; -1 if it is not in it. */
static inline long martlet_cms_content(CMS_ContentInfo *cms, const unsigned char **octets)
{
    ASN1_OCTET_STRING **content = CMS_get0_content(cms);
    if (content == NULL || *content == NULL)
        return -1;
    *octets = ASN1_STRING_get0_data(*content);
    return ASN1_STRING_length(*content);
}

static inline int martlet_cms_signer_count(CMS_ContentInfo *cms)
{
    STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(cms);
    return signers == NULL ? 0 : sk_CMS_SignerInfo_num(signers);
}

static inline CMS_SignerInfo *martlet_cms_signer(CMS_ContentInfo *cms, int index)
{
    return sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(cms), index);
}

/* The certificate of a signer; NULL if it is not known. */
static inline X509 *martlet_cms_signer_certificate(CMS_SignerInfo *signer)
{
    X509 *certificate = NULL;
    CMS_SignerInfo_get0_algs(signer, NULL, &certificate, NULL, NULL);
    return certificate;
}

/* The digest that a signer has signed, as a NID. */
static inline int martlet_cms_signer_digest(CMS_SignerInfo *signer)
{
    X509_ALGOR *algorithm = NULL;
    const ASN1_OBJECT *object = NULL;
    CMS_SignerInfo_get0_algs(signer, NULL, NULL, &algorithm, NULL);
    if (algorithm == NULL)
        return NID_undef;
    X509_ALGOR_get0(&object, NULL, NULL, algorithm);
    return OBJ_obj2nid(object);
}

/* When a signer says that it has signed; NULL if it does not. */
static inline const ASN1_TIME *martlet_cms_signing_time(CMS_SignerInfo *signer)
{
    const int index = CMS_signed_get_attr_by_NID(signer, NID_pkcs9_signingTime, -1);
    X509_ATTRIBUTE *attribute = index < 0 ? NULL : CMS_signed_get_attr(signer, index);
    ASN1_TYPE *value = attribute == NULL ? NULL : X509_ATTRIBUTE_get0_type(attribute, 0);
    if (value == NULL || (value->type != V_ASN1_UTCTIME && value->type != V_ASN1_GENERALIZEDTIME))
        return NULL;
    return (const ASN1_TIME *)value->value.asn1_string;
}

/* The digest of the content that a signer has signed, of which `*octets` becomes the start; -1 if there is not exactly
   one. */
static inline long martlet_cms_message_digest(CMS_SignerInfo *signer, const unsigned char **octets)
{
    const ASN1_STRING *digest = (const ASN1_STRING *)CMS_signed_get0_data_by_OBJ(
        signer, OBJ_nid2obj(NID_pkcs9_messageDigest), -3, V_ASN1_OCTET_STRING);
    if (digest == NULL)
        return -1;
    *octets = ASN1_STRING_get0_data(digest);
    return ASN1_STRING_length(digest);
}

/* The type of content that a signer has signed, as a NID; NID_undef if there is not exactly one. */
static inline int martlet_cms_signed_type(CMS_SignerInfo *signer)
{
    const ASN1_OBJECT *type = (const ASN1_OBJECT *)CMS_signed_get0_data_by_OBJ(
        signer, OBJ_nid2obj(NID_pkcs9_contentType), -3, V_ASN1_OBJECT);
    return type == NULL ? NID_undef : OBJ_obj2nid(type);
}

/* Whether an encrypted structure names this certificate among its recipients. */
static inline int martlet_cms_has_recipient(CMS_ContentInfo *cms, X509 *certificate)
{
    STACK_OF(CMS_RecipientInfo) *recipients = CMS_get0_RecipientInfos(cms);
    for (int index = 0; index < sk_CMS_RecipientInfo_num(recipients); index++) {
        CMS_RecipientInfo *recipient = sk_CMS_RecipientInfo_value(recipients, index);
        const int type = CMS_RecipientInfo_type(recipient);
        if (type == CMS_RECIPINFO_TRANS) {
            if (CMS_RecipientInfo_ktri_cert_cmp(recipient, certificate) == 0)
                return 1;
        } else if (type == CMS_RECIPINFO_AGREE) {
            STACK_OF(CMS_RecipientEncryptedKey) *keys = CMS_RecipientInfo_kari_get0_reks(recipient);
            for (int key = 0; key < sk_CMS_RecipientEncryptedKey_num(keys); key++) {
                if (CMS_RecipientEncryptedKey_cert_cmp(
                        sk_CMS_RecipientEncryptedKey_value(keys, key), certificate) == 0)
                    return 1;
            }
        }
    }
    return 0;
}

#endif

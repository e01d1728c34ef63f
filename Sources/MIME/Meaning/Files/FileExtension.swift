import MartletBytes

/// File name extensions of media types.
enum FileExtension {
    /// The usual extension of a type such as `image/png`, given in lower case, without a dot; `nil` if none is known.
    static func forType(_ name: String) -> String? { byType[name] }

    private static let byType: [String: String] = {
        var byType: [String: String] = [:]
        for (fileExtension, type) in ContentType.byExtension.sorted(by: { $0.key < $1.key })
        where byType[type] == nil {
            byType[type] = fileExtension
        }
        return byType.merging(preferred) { $1 }
    }()

    /// Where a type has several, and types that only reading knows.
    private static let preferred = [
        "image/jpeg": "jpg", "image/jpg": "jpg", "image/pjpeg": "jpg", "text/html": "html",
        "image/tiff": "tiff", "text/plain": "txt", "audio/ogg": "ogg", "video/mpeg": "mpg",
        "application/yaml": "yaml", "video/ogg": "ogv", "audio/midi": "mid", "audio/mpeg": "mp3",
        "audio/wav": "wav", "audio/x-wav": "wav", "application/x-pdf": "pdf",
        "application/x-zip-compressed": "zip", "application/ms-tnef": "dat",
        "application/vnd.ms-tnef": "dat", "application/pkcs7-mime": "p7m",
        "application/x-pkcs7-mime": "p7m", "application/pkcs7-signature": "p7s",
        "application/x-pkcs7-signature": "p7s", "application/pgp-signature": "asc",
        "application/pgp-keys": "asc", "application/pgp-encrypted": "asc",
        "application/ics": "ics", "text/x-vcard": "vcf", "text/x-vcalendar": "vcs",
        "text/rtf": "rtf", "text/richtext": "rtx", "text/enriched": "txt",
        "text/x-amp-html": "html", "text/xml": "xml", "text/rfc822-headers": "txt",
        "message/rfc822": "eml", "message/global": "eml", "message/news": "eml",
        "message/delivery-status": "txt", "message/global-delivery-status": "txt",
        "message/disposition-notification": "txt", "message/feedback-report": "txt",
        "message/global-headers": "txt", "application/gzip": "gz", "application/x-gzip": "gz",
        "application/javascript": "js", "application/x-javascript": "js",
    ]
}

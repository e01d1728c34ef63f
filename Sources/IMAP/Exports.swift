// Octets and secrets, messages, credentials, values and errors of IMAP, TLS settings and logs are part of the client's
// own interface.
@_exported import MartletBytes
@_exported import MartletIMAPCore
@_exported import MartletMIME
@_exported import MartletSASL
@_exported import MartletTransport

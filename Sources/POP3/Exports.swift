// Octets and secrets, messages, credentials, replies and errors, TLS settings and logs are part of the client's own
// interface.
@_exported import MartletBytes
@_exported import MartletMIME
@_exported import MartletPOP3Core
@_exported import MartletSASL
@_exported import MartletTransport

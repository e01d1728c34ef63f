// What a stored message and a configuration are made of.
@_exported import MartletBytes
@_exported import MartletIMAPCore
@_exported import MartletMIME
@_exported import MartletSMTPCore
@_exported import MartletTransport

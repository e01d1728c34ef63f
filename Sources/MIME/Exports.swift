// Octets and their sources are part of every message's interface.
@_exported import MartletBytes

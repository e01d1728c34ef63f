// Addresses, replies, commands, capabilities and errors are part of the client's own interface.
@_exported import MartletSMTPCore

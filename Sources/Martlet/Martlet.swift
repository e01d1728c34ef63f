// `import Martlet`: everything an app or a server needs, in one module.
@_exported import MartletFiles
@_exported import MartletIMAP
@_exported import MartletMIME
@_exported import MartletPOP3
@_exported import MartletSMTP

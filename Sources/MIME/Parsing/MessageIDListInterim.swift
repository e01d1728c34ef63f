import MartletBytes
enum MessageIDList { static func parse(_ o: UnsafeRawBufferPointer, limits: MIMELimits) -> Parsed<[String]> { Parsed(o.split { $0.isBlank || $0 == 10 || $0 == 13 }.map { String(decoding: $0.filter { $0 != 60 && $0 != 62 }, as: UTF8.self) }) } }

import MartletMIME

/// What `martlet parse --json` prints, as a JSON schema (draft 2020-12). Members may be added; those that are here stay.
enum ParseSchema {
    private static let defectKinds = Defect.Kind.allCases.map { "\"\($0.rawValue)\"" }
        .joined(separator: ", ")

    static let text = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "A parsed mail message, as martlet parse --json prints it",
          "type": "object",
          "required": ["sizeInOctets", "subject", "from", "sender", "replyTo", "to", "cc", "bcc", "date", "messageID", "inReplyTo", "references", "files", "root"],
          "properties": {
            "sizeInOctets": {"type": "integer", "minimum": 0},
            "subject": {"type": ["string", "null"], "description": "decoded; null without the field"},
            "from": {"$ref": "#/$defs/addresses"},
            "sender": {"$ref": "#/$defs/addresses"},
            "replyTo": {"$ref": "#/$defs/addresses"},
            "to": {"$ref": "#/$defs/addresses"},
            "cc": {"$ref": "#/$defs/addresses"},
            "bcc": {"$ref": "#/$defs/addresses"},
            "date": {
              "type": ["object", "null"],
              "required": ["text", "secondsSinceEpoch", "offsetInMinutes"],
              "properties": {
                "text": {"type": "string", "description": "RFC 5322"},
                "secondsSinceEpoch": {"type": "integer", "description": "since 1 January 1970, UTC"},
                "offsetInMinutes": {"type": "integer", "description": "of the author's clock, east of UTC"}
              }
            },
            "messageID": {"type": ["string", "null"], "description": "without angle brackets"},
            "inReplyTo": {"type": "array", "items": {"type": "string"}},
            "references": {"type": "array", "items": {"type": "string"}},
            "files": {
              "type": "array",
              "description": "those that came with the message, in the order in which --file counts from 1",
              "items": {
                "type": "object",
                "required": ["section", "isUnpacked", "fileName", "safeName", "type", "sizeInOctets"],
                "properties": {
                  "section": {"type": "string", "description": "the part that the file is or is in"},
                  "isUnpacked": {"type": "boolean", "description": "whether it is in a winmail.dat or a text"},
                  "fileName": {"type": ["string", "null"], "description": "what the sender wrote, not safe as a path"},
                  "safeName": {"type": "string", "description": "safe to be written to a folder, each only once"},
                  "type": {"type": "string", "description": "type/subtype in lower case"},
                  "sizeInOctets": {"type": "integer", "minimum": 0, "description": "decoded"}
                }
              }
            },
            "root": {"$ref": "#/$defs/part"}
          },
          "$defs": {
            "addresses": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["name", "address", "raw", "group"],
                "properties": {
                  "name": {"type": ["string", "null"]},
                  "address": {"type": ["string", "null"], "description": "null for what is no address, and for an empty group"},
                  "raw": {"type": ["string", "null"], "description": "what stands there instead of an address"},
                  "group": {"type": ["string", "null"], "description": "the group that it is in"}
                }
              }
            },
            "range": {
              "type": "object",
              "required": ["offset", "sizeInOctets"],
              "properties": {
                "offset": {"type": "integer", "minimum": 0},
                "sizeInOctets": {"type": "integer", "minimum": 0}
              }
            },
            "part": {
              "type": "object",
              "required": ["section", "kind", "type", "typeParameters", "disposition", "fileName", "safeName", "contentID", "transferEncoding", "isInEncodedContainer", "header", "body", "fields", "defects", "parts"],
              "properties": {
                "section": {"type": "string", "description": "the number of the part as IMAP counts, such as 2.1"},
                "kind": {"enum": ["leaf", "multipart", "message"]},
                "type": {"type": "string", "description": "type/subtype in lower case"},
                "typeParameters": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["name", "value"],
                    "properties": {
                      "name": {"type": "string"},
                      "value": {"type": "string"}
                    }
                  }
                },
                "disposition": {"type": ["string", "null"]},
                "fileName": {"type": ["string", "null"], "description": "what the sender wrote, not safe as a path"},
                "safeName": {"type": ["string", "null"], "description": "safe to be written to a folder; null without fileName"},
                "contentID": {"type": ["string", "null"]},
                "transferEncoding": {"type": "string"},
                "isInEncodedContainer": {"type": "boolean", "description": "then offsets are of the container's decoded octets"},
                "header": {"$ref": "#/$defs/range"},
                "body": {"$ref": "#/$defs/range"},
                "decodedSizeInOctets": {"type": "integer", "minimum": 0, "description": "leaves only"},
                "fields": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["name", "text", "offset"],
                    "properties": {
                      "name": {"type": "string"},
                      "text": {"type": "string", "description": "unfolded and decoded"},
                      "offset": {"type": "integer", "minimum": 0}
                    }
                  }
                },
                "defects": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["kind", "offset", "limit"],
                    "properties": {
                      "kind": {"enum": [\(defectKinds)]},
                      "offset": {"type": "integer", "minimum": 0},
                      "limit": {"type": ["string", "null"], "description": "the limit that was reached"}
                    }
                  }
                },
                "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}}
              }
            }
          }
        }

        """
}

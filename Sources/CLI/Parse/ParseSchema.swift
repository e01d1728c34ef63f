/// What `martlet parse --json` prints, as a JSON schema (draft 2020-12). Members may be added; those that are here stay.
enum ParseSchema {
    static let text = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "A parsed mail message, as martlet parse --json prints it",
          "type": "object",
          "required": ["sizeInOctets", "subject", "from", "sender", "replyTo", "to", "cc", "bcc", "date", "messageID", "inReplyTo", "references", "root"],
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
            "root": {"$ref": "#/$defs/part"}
          },
          "$defs": {
            "addresses": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["name", "address"],
                "properties": {
                  "name": {"type": ["string", "null"]},
                  "address": {"type": "string"}
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
              "required": ["section", "kind", "type", "typeParameters", "disposition", "fileName", "contentID", "transferEncoding", "isInEncodedContainer", "header", "body", "fields", "defects", "parts"],
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
                      "kind": {"type": "string"},
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

// Reads a message from disk, saves its files, and says what is wrong with it.
import Martlet

let message = Message(parsing: Octets(try MappedFile(path: "message.eml")))
print(message.from)
print(message.subject ?? "(no subject)")
print(message.readableText ?? "(no text)")
for file in message.attachedFiles {
    try AtomicFile.write(file.octets, to: file.safeName)
}
for defect in message.defects { print(defect) }

/// The source of a small program that says what GMime reads in messages.
enum GMimeReader {
    /// Reads one message a line, in hex. Prints, for each, lines of a word and values in hex, and a dot.
    static let source = #"""
        #include <gmime/gmime.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>

        static void put(const char *text, size_t size) {
            putchar(' ');
            putchar('h');
            for (size_t i = 0; i < size; i++) printf("%02x", (unsigned char) text[i]);
        }

        static void say(const char *word, const char *text) {
            fputs(word, stdout);
            put(text ? text : "", text ? strlen(text) : 0);
            putchar('\n');
        }

        static void list(InternetAddressList *all) {
            int count = all ? internet_address_list_length(all) : 0;
            for (int i = 0; i < count; i++) {
                InternetAddress *one = internet_address_list_get_address(all, i);
                const char *name = internet_address_get_name(one);
                if (INTERNET_ADDRESS_IS_GROUP(one)) {
                    say("group", name);
                    list(internet_address_group_get_members((InternetAddressGroup *) one));
                } else {
                    say("name", name);
                    say("address", internet_address_mailbox_get_addr((InternetAddressMailbox *) one));
                }
            }
        }

        static void content(GMimeObject *part) {
            GMimeStream *stream = g_mime_stream_mem_new();
            GMimeDataWrapper *data = g_mime_part_get_content((GMimePart *) part);
            if (data) g_mime_data_wrapper_write_to_stream(data, stream);
            GByteArray *octets = g_mime_stream_mem_get_byte_array((GMimeStreamMem *) stream);
            fputs("content", stdout);
            put((char *) octets->data, octets->len);
            putchar('\n');
            g_object_unref(stream);
        }

        static void part(GMimeObject *parent, GMimeObject *part, gpointer unused) {
            if (g_mime_object_get_disposition(part) && !GMIME_IS_MESSAGE_PART(part)) {
                say("file", g_mime_part_get_filename((GMimePart *) part));
                say("id", g_mime_object_get_content_id(part));
            }
            if (GMIME_IS_PART(part)) content(part);
            if (GMIME_IS_MESSAGE_PART(part))
                say("inner", g_mime_message_get_subject(g_mime_message_part_get_message((GMimeMessagePart *) part)));
        }

        static void message(char *octets, size_t size) {
            GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, size);
            GMimeParser *parser = g_mime_parser_new_with_stream(stream);
            GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
            say("subject", g_mime_message_get_subject(message));
            list(g_mime_message_get_addresses(message, GMIME_ADDRESS_TYPE_TO));
            list(g_mime_message_get_addresses(message, GMIME_ADDRESS_TYPE_CC));
            GDateTime *date = g_mime_message_get_date(message);
            printf("date %lld\n", date ? (long long) g_date_time_to_unix(date) : 0);
            g_mime_message_foreach(message, part, NULL);
            puts(".");
            g_object_unref(message);
            g_object_unref(parser);
            g_object_unref(stream);
        }

        int main(void) {
            g_mime_init();
            char *line = NULL;
            size_t room = 0;
            ssize_t size;
            while ((size = getline(&line, &room, stdin)) > 1) {
                size_t count = 0;
                for (ssize_t i = 0; i + 1 < size && line[i] != '\n'; i += 2) {
                    char digits[3] = { line[i], line[i + 1], 0 };
                    line[count++] = (char) strtol(digits, NULL, 16);
                }
                message(line, count);
            }
            return 0;
        }
        """#
}

/// The source of a small program that says what GMime reads in messages. See `Records`.
enum GMimeReader {
    static let source = #"""
        #include <gmime/gmime.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>

        static FILE *out;

        static void put(const char *word, const char *octets, size_t size) {
            fprintf(out, "%s %zu\n", word, size);
            fwrite(octets, 1, size, out);
            fputc('\n', out);
        }

        static void say(const char *word, const char *text) {
            put(word, text ? text : "", text ? strlen(text) : 0);
        }

        static void list(InternetAddressList *all, const char *word) {
            char name_word[20], group_word[20];
            snprintf(name_word, sizeof name_word, "%s-name", word);
            snprintf(group_word, sizeof group_word, "%s-group", word);
            int count = all ? internet_address_list_length(all) : 0;
            for (int i = 0; i < count; i++) {
                InternetAddress *one = internet_address_list_get_address(all, i);
                const char *name = internet_address_get_name(one);
                if (INTERNET_ADDRESS_IS_GROUP(one)) {
                    say(group_word, name);
                    list(internet_address_group_get_members((InternetAddressGroup *) one), word);
                } else {
                    say(name_word, name);
                    say(word, internet_address_mailbox_get_addr((InternetAddressMailbox *) one));
                }
            }
        }

        static void body(GMimePart *part) {
            GMimeStream *stream = g_mime_stream_mem_new();
            GMimeDataWrapper *data = g_mime_part_get_content(part);
            if (data) g_mime_data_wrapper_write_to_stream(data, stream);
            GByteArray *octets = g_mime_stream_mem_get_byte_array((GMimeStreamMem *) stream);
            put("body", (char *) octets->data, octets->len);
            g_object_unref(stream);
        }

        static void part(GMimeObject *object) {
            char *type = g_mime_content_type_get_mime_type(g_mime_object_get_content_type(object));
            say("part", type);
            g_free(type);
            if (g_mime_object_get_disposition(object)) say("disposition", g_mime_object_get_disposition(object));
            if (GMIME_IS_MULTIPART(object)) {
                GMimeMultipart *multipart = (GMimeMultipart *) object;
                for (int i = 0; i < g_mime_multipart_get_count(multipart); i++)
                    part(g_mime_multipart_get_part(multipart, i));
            } else if (GMIME_IS_MESSAGE_PART(object)) {
                GMimeMessage *message = g_mime_message_part_get_message((GMimeMessagePart *) object);
                if (message) {
                    say("inner-subject", g_mime_message_get_subject(message));
                    say("inside", "");
                    if (g_mime_message_get_mime_part(message)) part(g_mime_message_get_mime_part(message));
                    say("outside", "");
                }
            } else {
                say("name", g_mime_part_get_filename((GMimePart *) object));
                say("id", g_mime_object_get_content_id(object));
                body((GMimePart *) object);
            }
        }

        static void read_message(char *octets, size_t size) {
            GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, size);
            GMimeParser *parser = g_mime_parser_new_with_stream(stream);
            GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
            if (message) {
                if (g_mime_message_get_subject(message)) say("subject", g_mime_message_get_subject(message));
                list(g_mime_message_get_addresses(message, GMIME_ADDRESS_TYPE_FROM), "from");
                list(g_mime_message_get_addresses(message, GMIME_ADDRESS_TYPE_TO), "to");
                list(g_mime_message_get_addresses(message, GMIME_ADDRESS_TYPE_CC), "cc");
                GDateTime *date = g_mime_message_get_date(message);
                char digits[32];
                snprintf(digits, sizeof digits, "%lld", date ? (long long) g_date_time_to_unix(date) : 0);
                if (date) say("date", digits);
                if (g_mime_message_get_mime_part(message)) part(g_mime_message_get_mime_part(message));
                g_object_unref(message);
            } else {
                say("failure", "message");
            }
            say("end", "");
            g_object_unref(parser);
            g_object_unref(stream);
        }

        int main(int count, char **arguments) {
            if (count != 3) return 64;
            FILE *in = fopen(arguments[1], "rb");
            out = fopen(arguments[2], "wb");
            if (!in || !out) return 66;
            g_mime_init();
            size_t size;
            while (fscanf(in, "message %zu", &size) == 1) {
                char *octets = malloc(size + 1);
                if (!octets || fgetc(in) != '\n' || fread(octets, 1, size, in) != size) return 65;
                read_message(octets, size);
                free(octets);
                if (fgetc(in) != '\n') return 65;
            }
            return fclose(out) ? 74 : 0;
        }
        """#
}

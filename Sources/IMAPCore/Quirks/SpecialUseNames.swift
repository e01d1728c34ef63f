/// What mailboxes of a special use are called by the programs and providers of many languages, in lower case.
enum SpecialUseNames {
    /// The names by use. A name has one use: a word that has several in different languages is left out.
    static let table: [(use: MailboxAttribute, names: [String])] = [
        (
            .sent,
            [
                "sent", "sent items", "sent messages", "sent mail", "sent-mail", "gesendet",
                "gesendete objekte", "gesendete elemente", "gesendete nachrichten", "envoyés",
                "messages envoyés", "éléments envoyés", "objets envoyés", "courrier envoyé",
                "enviados", "elementos enviados", "mensajes enviados", "correo enviado",
                "itens enviados", "mensagens enviadas", "e-mails enviados", "inviata",
                "posta inviata", "messaggi inviati", "elementi inviati", "enviats", "verzonden",
                "verzonden items", "verzonden berichten", "wysłane", "elementy wysłane",
                "wysłane wiadomości", "отправленные", "отправленные письма", "надіслані",
                "надіслані листи", "изпратени", "послато", "odeslané", "odeslaná pošta",
                "odoslané", "odoslaná pošta", "elküldött", "elküldött elemek",
                "elküldött üzenetek", "trimise", "mesaje trimise", "elemente trimise", "poslano",
                "poslane stavke", "poslana pošta", "skickat", "skickade", "skickade meddelanden",
                "sendt", "sendt post", "sendte elementer", "sendte meldinger", "lähetetyt",
                "lähetetyt viestit", "saadetud", "saadetud kirjad", "nosūtītie", "nosūtītās",
                "išsiųstieji", "išsiųsti laiškai", "απεσταλμένα", "gönderilmiş öğeler",
                "gönderilenler", "gönderilmiş postalar", "נשלח", "פריטים שנשלחו", "المرسلة",
                "البريد المرسل", "العناصر المرسلة", "送信済み", "送信済みアイテム", "送信済みメール", "已发送", "已发送邮件",
                "已发邮件", "寄件備份", "已寄出", "寄件匣備份", "보낸 편지함", "보낸편지함", "보낸메일함", "đã gửi",
                "thư đã gửi", "terkirim", "item terkirim", "ส่งแล้ว", "จดหมายที่ส่ง",
            ]
        ),
        (
            .drafts,
            [
                "drafts", "draft", "entwürfe", "entwurf", "brouillons", "brouillon", "borradores",
                "borrador", "rascunhos", "rascunho", "bozze", "bozza", "esborranys", "concepten",
                "concept", "kopie robocze", "wersje robocze", "szkice", "robocze", "черновики",
                "чернетки", "чернови", "нацрти", "koncepty", "rozepsané", "rozpísané",
                "piszkozatok", "piszkozat", "schițe", "ciorne", "nacrti", "skice", "osnutki",
                "utkast", "kladder", "luonnokset", "mustandid", "melnraksti", "juodraščiai",
                "πρόχειρα", "taslaklar", "taslak", "טיוטות", "مسودات", "المسودات", "下書き", "草稿",
                "草稿箱", "草稿匣", "草稿夹", "임시 보관함", "임시보관함", "thư nháp", "bản nháp", "draf", "konsep",
                "ฉบับร่าง", "จดหมายร่าง",
            ]
        ),
        (
            .trash,
            [
                "trash", "deleted", "deleted items", "deleted messages", "bin", "rubbish",
                "papierkorb", "gelöscht", "gelöschte objekte", "gelöschte elemente", "corbeille",
                "éléments supprimés", "messages supprimés", "poubelle", "papelera",
                "papelera de reciclaje", "elementos eliminados", "eliminados", "lixeira", "lixo",
                "itens excluídos", "itens eliminados", "cestino", "posta eliminata",
                "elementi eliminati", "eliminata", "paperera", "prullenbak", "prullenmand",
                "verwijderde items", "kosz", "elementy usunięte", "usunięte", "корзина",
                "удаленные", "удалённые", "удаленные элементы", "кошик", "видалені", "кошче",
                "изтрити", "отпад", "koš", "odstraněná pošta", "kôš", "odstránené položky",
                "kuka", "lomtár", "törölt elemek", "gunoi", "coș de gunoi", "elemente șterse",
                "smeće", "izbrisane stavke", "koš za smeti", "papperskorgen", "papperskorg",
                "borttagna objekt", "papirkurv", "slettet post", "slettede elementer", "søppel",
                "roskakori", "poistetut", "prügikast", "kustutatud", "miskaste", "atkritne",
                "šiukšliadėžė", "šiukšlinė", "κάδος", "κάδος απορριμμάτων", "διαγραμμένα",
                "çöp kutusu", "çöp", "silinmiş öğeler", "אשפה", "פריטים שנמחקו", "المهملات",
                "سلة المهملات", "العناصر المحذوفة", "ゴミ箱", "ごみ箱", "削除済みアイテム", "已删除", "已删除邮件",
                "废件箱", "垃圾桶", "刪除的郵件", "휴지통", "지운 편지함", "thùng rác", "sampah", "ถังขยะ",
            ]
        ),
        (
            .junk,
            [
                "junk", "spam", "junk e-mail", "junk email", "junk mail", "bulk mail", "bulk",
                "unerwünscht", "spam-verdacht", "spamverdacht", "werbung", "pourriel",
                "pourriels", "courrier indésirable", "indésirables", "correo no deseado",
                "no deseado", "spam recibido", "lixo eletrônico", "lixo eletrónico",
                "correio eletrônico não solicitado", "posta indesiderata", "indesiderata",
                "correu brossa", "ongewenste e-mail", "ongewenst", "reclame", "niechciane",
                "wiadomości-śmieci", "спам", "нежелательная почта", "небажана пошта",
                "нежелана поща", "nevyžádaná pošta", "nevyžiadaná pošta", "levélszemét",
                "e-mail nedorit", "mesaje nedorite", "neželjena pošta", "neželena pošta",
                "skräppost", "uønsket", "uønsket e-mail", "uønsket e-post", "søppelpost",
                "roskaposti", "rämpspost", "surogātpasts", "mēstules", "brukalas", "ανεπιθύμητα",
                "ανεπιθύμητη αλληλογραφία", "istenmeyen", "önemsiz", "önemsiz e-posta",
                "gereksiz", "דואר זבל", "זבל", "بريد عشوائي", "البريد العشوائي", "بريد غير هام",
                "البريد الإلكتروني غير الهام", "迷惑メール", "垃圾邮件", "垃圾郵件", "广告邮件", "스팸", "스팸메일함",
                "정크 메일", "thư rác", "ขยะ", "อีเมลขยะ",
            ]
        ),
        (
            .archive,
            [
                "archive", "archives", "archiv", "archivo", "archivados", "arquivo", "archivio",
                "archief", "archiwum", "архив", "архів", "архива", "archív", "archívum", "arhiva",
                "arhiv", "arkiv", "arkisto", "arhiiv", "arhīvs", "archyvas", "αρχείο", "arşiv",
                "ארכיון", "أرشيف", "الأرشيف", "アーカイブ", "归档", "存档", "封存", "보관함", "보관", "lưu trữ",
                "arsip", "เก็บถาวร",
            ]
        ),
    ]

    /// The use by name.
    static let uses: [String: MailboxAttribute] = Dictionary(
        table.flatMap { row in row.names.map { ($0, row.use) } }
    ) { first, _ in first }
}

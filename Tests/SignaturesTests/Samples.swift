import MartletBytes
import MartletSignatures
import MartletTestSupport

/// A message for signing.
let sample = crlf(
    """
    From: Jane Doe <jane@example.org>
    To: Max <max@example.com>,
     Moritz <moritz@example.com>
    Subject:   Lunch   today?\u{20}
    Date: Fri, 11 Jul 2003 21:00:37 -0700
    MIME-Version: 1.0
    Message-ID: <1@example.org>

    Hello  Max,

    at noon?\t\u{20}

    Jane


    """)

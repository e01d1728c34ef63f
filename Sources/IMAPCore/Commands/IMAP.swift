/// The commands of IMAP, a type each: `IMAP.Noop`, `IMAP.Fetch`. RFC 9051 §6.
public enum IMAP {}

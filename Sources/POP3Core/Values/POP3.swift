/// Commands of the protocol: `POP3.Retr(3)`, `POP3.Noop()`.
public enum POP3 {}

namespace Dns.Protocol.Messages;

/// <summary>The sections of a message in order (RFC 1035 §4.1); the number indexes the counts in the header.</summary>
public enum MessageSection : byte
{
    /// <summary>The question.</summary>
    Question,
    /// <summary>Records that answer it.</summary>
    Answer,
    /// <summary>Records that point to an authority, or a SOA and the proofs of a denial.</summary>
    Authority,
    /// <summary>Additional records; OPT and TSIG.</summary>
    Additional,
}

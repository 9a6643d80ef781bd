namespace Dns.Protocol;

/// <summary>The four sections of a message in their order (RFC 1035 §4.1); the number is that of the count in the header.</summary>
public enum MessageSection : byte
{
    /// <summary>What is asked.</summary>
    Question,
    /// <summary>Records that answer it.</summary>
    Answer,
    /// <summary>Records that point to an authority, or a SOA and the proofs of a denial.</summary>
    Authority,
    /// <summary>Records that may help; OPT and TSIG.</summary>
    Additional,
}

namespace Dns.Dnssec.Policies;

/// <summary>The kinds of keys of a zone.</summary>
public enum KeyScheme : byte
{
    /// <summary>One key signs all (a combined signing key).</summary>
    Csk,

    /// <summary>One key signs the DNSKEY RRset and has the DS record, another signs the rest (RFC 4033 §2).</summary>
    KskAndZsk,
}

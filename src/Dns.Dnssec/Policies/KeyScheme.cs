namespace Dns.Dnssec;

/// <summary>Which keys a zone has.</summary>
public enum KeyScheme : byte
{
    /// <summary>One key signs all (a combined signing key).</summary>
    Csk,

    /// <summary>One key signs the DNSKEY RRset and is named by the DS record, another signs the rest (RFC 4033 §2).</summary>
    KskAndZsk,
}

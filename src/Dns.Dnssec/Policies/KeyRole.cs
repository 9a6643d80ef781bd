namespace Dns.Dnssec.Policies;

/// <summary>What a key signs.</summary>
public enum KeyRole : byte
{
    /// <summary>The DNSKEY RRset, and all others (a combined signing key).</summary>
    Csk,

    /// <summary>The DNSKEY RRset, and CDS and CDNSKEY (a key-signing key).</summary>
    Ksk,

    /// <summary>All others (a zone-signing key).</summary>
    Zsk,
}

/// <summary>Properties of a role.</summary>
public static class KeyRoles
{
    /// <summary>Whether keys of a role sign the DNSKEY RRset and have DS records.</summary>
    public static bool SignsKeys(this KeyRole role) => role != KeyRole.Zsk;

    /// <summary>Whether keys of a role sign the other RRsets of the zone.</summary>
    public static bool SignsZone(this KeyRole role) => role != KeyRole.Ksk;

    /// <summary>The role as text: <c>csk</c>, <c>ksk</c> or <c>zsk</c>.</summary>
    public static string Text(this KeyRole role) => role switch
    {
        KeyRole.Ksk => "ksk",
        KeyRole.Zsk => "zsk",
        _ => "csk",
    };
}

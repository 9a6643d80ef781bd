namespace Dns.Answering.Planning;

/// <summary>Which alias a lookup found.</summary>
internal enum AliasKind : byte
{
    /// <summary>No alias that the answer follows.</summary>
    None,

    /// <summary>A CNAME at the name, or at the wildcard that answers for it.</summary>
    Cname,

    /// <summary>A DNAME above the name.</summary>
    Dname,
}

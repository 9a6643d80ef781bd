namespace Dns.Replication.Catalogs;

/// <summary>What is wrong with a version of a catalog zone.</summary>
public enum CatalogFaultKind : byte
{
    /// <summary>It has no version of the schema.</summary>
    NoVersion,

    /// <summary>It has another one than 2.</summary>
    OtherVersion,

    /// <summary>A zone is listed twice.</summary>
    ListedTwice,

    /// <summary>A name has several PTR records.</summary>
    Pointers,

    /// <summary>It has more members than a catalog, or the memory, may have.</summary>
    Members,
}

/// <summary>Why a version must not be processed (RFC 9432 §5.1); its text is for operators.</summary>
/// <param name="Name">The zone listed twice, or the name with several PTR records.</param>
/// <param name="Count">The number of PTR records, or the maximum of members.</param>
public sealed record CatalogFault(CatalogFaultKind Kind, DomainName? Name = null, int Count = 0)
{
    /// <inheritdoc/>
    public override string ToString() => Kind switch
    {
        CatalogFaultKind.NoVersion => "it has no version record, expected TXT \"2\" at \"version\"",
        CatalogFaultKind.OtherVersion => "its version is not \"2\", the only one that is known here",
        CatalogFaultKind.ListedTwice => $"zone {Name} is listed twice",
        CatalogFaultKind.Pointers => $"{Name} has {Count} PTR records, expected one",
        _ => $"it has more than {Count:N0} members"
            + (Count < CatalogContent.MaxMembers ? ", for which there is not enough memory" : ""),
    };
}

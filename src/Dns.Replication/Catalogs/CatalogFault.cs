namespace Dns.Replication.Catalogs;

/// <summary>Why a version of a catalog must not be processed (RFC 9432 §5.1); its text is for operators.</summary>
public sealed record CatalogFault
{
    private readonly CatalogFaultKind _kind;
    private readonly DomainName? _name;
    private readonly int _count;

    /// <param name="name">The zone listed twice, or the name with several PTR records.</param>
    /// <param name="count">The number of PTR records, or the maximum of members.</param>
    internal CatalogFault(CatalogFaultKind kind, DomainName? name = null, int count = 0) =>
        (_kind, _name, _count) = (kind, name, count);

    /// <inheritdoc/>
    public override string ToString() => _kind switch
    {
        CatalogFaultKind.NoVersion => "it has no version record, expected TXT \"2\" at \"version\"",
        CatalogFaultKind.OtherVersion => "its version is not \"2\", the only one that is known here",
        CatalogFaultKind.ListedTwice => $"zone {_name} is listed twice",
        CatalogFaultKind.Pointers => $"{_name} has {_count} PTR records, expected one",
        _ => $"it has more than {_count:N0} members"
            + (_count < CatalogContent.MaxMembers ? ", for which there is not enough memory" : ""),
    };
}

internal enum CatalogFaultKind : byte { NoVersion, OtherVersion, ListedTwice, Pointers, Members }

namespace Dns.Zones.Building;

/// <summary>A name whose records are being collected. Reusable.</summary>
internal sealed class PendingName
{
    private readonly byte[] _original = new byte[WireName.MaxOctets];

    /// <summary>The name in lower case, with its hashes. A field, to avoid copies of 1.4 KB.</summary>
    internal LookupName Name;

    internal RecordRun Run { get; } = new();

    internal ReadOnlySpan<byte> OriginalCase => _original.AsSpan(0, Name.Length);

    /// <summary>Sets a valid wire name in any letter case. The records stay.</summary>
    internal void Set(ReadOnlySpan<byte> owner)
    {
        Name.Set(owner);
        owner.CopyTo(_original);
    }

    /// <summary>Whether a name equals this one, ignoring case.</summary>
    internal bool Is(ReadOnlySpan<byte> owner) =>
        owner.Length == Name.Length
        && (owner.SequenceEqual(OriginalCase) || WireName.EqualsIgnoreCase(owner, Name.Octets));
}

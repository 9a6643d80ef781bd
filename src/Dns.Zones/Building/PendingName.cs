using Dns.Protocol;

namespace Dns.Zones;

/// <summary>A name whose records are gathered, with them. Used again for a later name.</summary>
internal sealed class PendingName
{
    private readonly byte[] _spelled = new byte[WireName.MaxOctets];

    /// <summary>The name in lower case, with its hashes. A field: read in place, it is 1.4 KB.</summary>
    internal LookupName Name;

    /// <summary>The records so far.</summary>
    internal RecordRun Run { get; } = new();

    /// <summary>The name in its own spelling.</summary>
    internal ReadOnlySpan<byte> Spelled => _spelled.AsSpan(0, Name.Length);

    /// <summary>Takes a valid wire name in any spelling. The records stay.</summary>
    internal void Set(ReadOnlySpan<byte> owner)
    {
        Name.Set(owner);
        owner.CopyTo(_spelled);
    }

    /// <summary>Whether this is the name, in any spelling.</summary>
    internal bool Is(ReadOnlySpan<byte> owner) =>
        owner.Length == Name.Length && (owner.SequenceEqual(Spelled) || WireName.EqualsIgnoreCase(owner, Name.Octets));
}

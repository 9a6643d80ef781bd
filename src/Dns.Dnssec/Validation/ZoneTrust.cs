using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>What is known of a name on the way down from an anchor: the zone that it is in, and the keys of that.</summary>
public sealed class ZoneTrust
{
    internal ZoneTrust(DomainName zone, SecurityStatus status, string reason, IReadOnlyList<PublicKey> keys, PublicKey? entry = null)
    {
        (Zone, Status, Reason, Keys, Entry) = (zone, status, reason, keys, entry);
    }

    /// <summary>The deepest zone on the way.</summary>
    public DomainName Zone { get; }

    /// <summary>Whether its keys are trusted.</summary>
    public SecurityStatus Status { get; }

    /// <summary>Why not; empty where they are.</summary>
    public string Reason { get; }

    /// <summary>Its keys; none where they are not trusted.</summary>
    public IReadOnlyList<PublicKey> Keys { get; }

    /// <summary>The key that an anchor or a DS record names, and that signs the others.</summary>
    public PublicKey? Entry { get; }

    /// <summary>Whether names below cannot be in another zone: the name does not exist.</summary>
    internal bool IsEnd { get; init; }
}

namespace Dns.Dnssec.Validation;

/// <summary>The state of a walk down from an anchor: the current zone, and its keys.</summary>
public sealed class ZoneTrust
{
    internal ZoneTrust(DomainName zone, SecurityStatus status, string reason, IReadOnlyList<Dnskey> keys,
        Dnskey? entry = null)
    {
        (Zone, Status, Reason, Keys, Entry) = (zone, status, reason, keys, entry);
    }

    /// <summary>The deepest zone so far.</summary>
    public DomainName Zone { get; }

    /// <summary>Whether its keys are trusted.</summary>
    public SecurityStatus Status { get; }

    /// <summary>The reason if not; empty if trusted.</summary>
    public string Reason { get; }

    /// <summary>Its keys; none if not trusted.</summary>
    public IReadOnlyList<Dnskey> Keys { get; }

    /// <summary>The key of an anchor or a DS record that signs the others.</summary>
    public Dnskey? Entry { get; }

    /// <summary>Whether names below cannot be in another zone, since the name does not exist.</summary>
    internal bool IsEnd { get; init; }
}

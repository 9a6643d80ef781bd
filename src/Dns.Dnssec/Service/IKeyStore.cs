using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>
/// Where keys of zones and what is known of them are kept. Called by one thread at a time for each zone, by several for several zones.
/// </summary>
public interface IKeyStore
{
    /// <summary>What is known of the keys of a zone.</summary>
    /// <exception cref="IOException">It cannot be read, or is broken; the message says where.</exception>
    ZoneKeys Load(DomainName zone);

    /// <summary>Whether anything is kept of a zone, which was then signed once. Quick; never throws.</summary>
    bool HasState(DomainName zone);

    /// <summary>Sees what another program has just put there: else that may take a second.</summary>
    void LookAgain();

    /// <summary>What of the keys of a zone others than its owner can get at, a line each. Never throws.</summary>
    IReadOnlyList<string> FindOpen(DomainName zone, ZoneKeys keys);

    /// <summary>Keeps it, on disk when this returns. Costs nothing where it is what is kept already.</summary>
    /// <exception cref="IOException">It is not kept; what was before is.</exception>
    void Save(DomainName zone, ZoneKeys keys);

    /// <summary>Reads the bundle of a zone whose KSK is kept elsewhere; null if there is none.</summary>
    /// <exception cref="IOException">It cannot be read, or is broken; the message says where.</exception>
    KeySets? LoadBundle(DomainName zone);

    /// <summary>Keeps a bundle in the place of the one before, with the records of its KSKs; on disk when this returns.</summary>
    /// <exception cref="IOException">It is not kept; the one from before is.</exception>
    void SaveBundle(KeySets bundle);

    /// <summary>Makes a key, on disk when this returns. Nothing uses it before it is part of what <see cref="Save"/> keeps.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="need">What it is for.</param>
    /// <param name="rsaBits">Bits of a key of RSA.</param>
    /// <param name="keys">What is known of the others: none has its tag.</param>
    /// <param name="now">The moment.</param>
    /// <exception cref="IOException">It is not kept.</exception>
    KeyRecord Generate(DomainName zone, KeyNeed need, int rsaBits, ZoneKeys keys, DateTimeOffset now);

    /// <summary>Reads a key; the caller disposes it.</summary>
    /// <exception cref="IOException">It cannot be read, or is none; the message says where.</exception>
    SigningKey Open(DomainName zone, KeyId id);
}

namespace Dns.Dnssec.Service;

/// <summary>Stores zones' keys and their state. Called concurrently, by one thread at a time for each zone.</summary>
public interface IKeyStore
{
    /// <summary>The place of the keys, for messages.</summary>
    string Folder { get; }

    /// <summary>Loads the state of a zone's keys.</summary>
    /// <exception cref="IOException">It cannot be read, or is damaged; the message has the place.</exception>
    ZoneKeys Load(DomainName zone);

    /// <summary>Whether a state exists, so that the zone was signed once. Fast; never throws.</summary>
    bool HasState(DomainName zone);

    /// <summary>Refreshes the view of files that another program wrote; otherwise that may take a second.</summary>
    void Invalidate();

    /// <summary>Key files of the zone that others than the owner can access, a line each. Never throws.</summary>
    IReadOnlyList<string> FindOpen(DomainName zone, ZoneKeys keys);

    /// <summary>Saves the state, on disk when this returns. Free if it is unchanged.</summary>
    /// <exception cref="IOException">It is not saved; the previous one is unchanged.</exception>
    void Save(DomainName zone, ZoneKeys keys);

    /// <summary>Deletes the state of a zone that needs no signatures any more; its key files stay.</summary>
    /// <exception cref="IOException">It is not deleted.</exception>
    void DeleteState(DomainName zone);

    /// <summary>Loads the bundle of a zone with an offline KSK; null if none.</summary>
    /// <exception cref="IOException">It cannot be read, or is damaged; the message has the place.</exception>
    KeySets? LoadBundle(DomainName zone);

    /// <summary>Replaces the bundle, with the records of its KSKs; on disk when this returns.</summary>
    /// <exception cref="IOException">It is not saved; the previous one is unchanged.</exception>
    void SaveBundle(KeySets bundle);

    /// <summary>Generates a key, on disk when this returns. Not used before <see cref="Save"/> includes it.</summary>
    /// <param name="keys">The other keys, whose tags are excluded.</param>
    /// <exception cref="IOException">It is not saved.</exception>
    KeyRecord Generate(DomainName zone, KeyNeed need, int rsaBits, ZoneKeys keys, DateTimeOffset now);

    /// <summary>Reads a key; the caller disposes it.</summary>
    /// <exception cref="IOException">It cannot be read, or is invalid; the message has the place.</exception>
    SigningKey Open(DomainName zone, KeyId id);
}

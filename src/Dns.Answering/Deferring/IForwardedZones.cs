using Dns.Protocol;

namespace Dns.Answering;

/// <summary>The names that others answer for, and the clients that may ask for them. Thread-safe; allocates nothing.</summary>
public interface IForwardedZones
{
    /// <summary>
    /// How many labels the longest forwarded zone has that holds the suffix of a name which leaves out its first
    /// <paramref name="skippedLabels"/> labels; -1 if there is none, 0 for the root.
    /// </summary>
    int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels);

    /// <summary>Whether a client may ask for what is not served here (RA).</summary>
    bool MayRecurse(ref ClientAddress client);
}

using Dns.Dnssec;

namespace Dns.Management;

/// <summary>Key operations for an operator: on a running server, or on a folder. Thread-safe.</summary>
internal interface IKeyOperations
{
    /// <summary>The keys of a zone, and the next event of each.</summary>
    /// <exception cref="OperationException">The zone has no keys here, or they are unreadable.</exception>
    KeyList List(DomainName zone);

    /// <summary>The DS records for the parent, as lines of a zone file.</summary>
    /// <param name="digest">Their digest.</param>
    /// <exception cref="OperationException">The zone has no such key here, or one is unreadable.</exception>
    string Ds(DomainName zone, DsDigest digest);

    /// <summary>Starts rollovers before the lifetimes end.</summary>
    /// <param name="ksk">Whether to replace the KSK or CSK.</param>
    /// <param name="zsk">Whether to replace the ZSK. Neither = all keys.</param>
    /// <param name="algorithm">The new algorithm of all keys; null = unchanged.</param>
    /// <returns>The next events, as text.</returns>
    /// <exception cref="OperationException">It is refused, or could not be saved.</exception>
    string RollOver(DomainName zone, bool ksk, bool zsk, DnssecAlgorithm? algorithm);

    /// <summary>Confirms that the parent has the requested DS record.</summary>
    /// <param name="tag">The tag of the key; null = the requested one.</param>
    /// <returns>The result, as text.</returns>
    /// <exception cref="OperationException">No such DS record is requested, or it could not be saved.</exception>
    string Submit(DomainName zone, ushort? tag);

    /// <summary>Makes a request for the future key sets of a zone with an offline KSK.</summary>
    /// <param name="from">The start; null = the last loaded slot, or now.</param>
    /// <param name="until">The end.</param>
    /// <returns>The text of the request.</returns>
    /// <exception cref="OperationException">It cannot be made.</exception>
    string Request(DomainName zone, DateTimeOffset? from, DateTimeOffset until);

    /// <summary>Loads a bundle of an offline KSK.</summary>
    /// <param name="text">The text of the bundle.</param>
    /// <param name="mayShorten">Whether its signatures may end before those of the loaded one.</param>
    /// <returns>The result, as text.</returns>
    /// <exception cref="OperationException">It is refused, or could not be saved.</exception>
    string LoadBundle(DomainName zone, string text, bool mayShorten);
}

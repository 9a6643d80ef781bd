namespace Dns.Management.Operations;

/// <summary>Key operations for an operator: on a running server, or on a folder. Thread-safe.</summary>
public interface IKeyOperations
{
    /// <summary>The keys of a zone, and the next event of each.</summary>
    /// <exception cref="OperationException">The zone has no keys here, or they are unreadable.</exception>
    KeyList List(DomainName zone);

    /// <summary>The DS records for the parent, as lines of a zone file.</summary>
    /// <exception cref="OperationException">The zone has no such key here, or one is unreadable.</exception>
    string Ds(DomainName zone, DsDigest digest);

    /// <summary>Starts rollovers before the lifetimes end; returns the next events as text.</summary>
    /// <param name="ksk">Whether to replace the KSK or CSK.</param>
    /// <param name="zsk">Whether to replace the ZSK. Neither = all keys.</param>
    /// <param name="algorithm">The new algorithm of all keys; null = unchanged.</param>
    /// <exception cref="OperationException">It is refused, or could not be saved.</exception>
    string RollOver(DomainName zone, bool ksk, bool zsk, DnssecAlgorithm? algorithm);

    /// <summary>Confirms that the parent has the requested DS record; returns the result as text.</summary>
    /// <param name="tag">The tag of the key; null = the requested one.</param>
    /// <exception cref="OperationException">No such DS record is requested, or it could not be saved.</exception>
    string Submit(DomainName zone, ushort? tag);

    /// <summary>Makes the text of a request for the future key sets of a zone with an offline KSK.</summary>
    /// <param name="from">The start; null = the last loaded slot, or now.</param>
    /// <param name="replacesZsk">Whether the ZSKs are replaced at once.</param>
    /// <exception cref="OperationException">It cannot be made.</exception>
    string Request(DomainName zone, DateTimeOffset? from, DateTimeOffset until, bool replacesZsk);

    /// <summary>Loads a bundle of an offline KSK; returns the result as text.</summary>
    /// <param name="mayShorten">Whether its signatures may end before those of the loaded one.</param>
    /// <exception cref="OperationException">It is refused, or could not be saved.</exception>
    string LoadBundle(DomainName zone, string text, bool mayShorten);
}

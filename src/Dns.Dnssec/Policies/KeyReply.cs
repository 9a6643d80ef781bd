namespace Dns.Dnssec.Policies;

/// <summary>The reply to an operator's request for keys: what follows from it, or why it is refused.</summary>
public sealed record KeyReply(KeyReplyKind Kind)
{
    /// <summary>The keys that it concerns.</summary>
    public KeyIds Keys { get; init; } = KeyIds.None;

    /// <summary>The keys that roll over, each group with the retiring keys that it waits for.</summary>
    public IReadOnlyList<(KeyIds Keys, KeyIds Before)> Rollovers { get; init; } = [];

    /// <summary>The policy, if it matters.</summary>
    public DnssecPolicy? Policy { get; init; }

    /// <summary>The requested algorithm.</summary>
    public DnssecAlgorithm Algorithm { get; init; }

    /// <summary>The requested key tag.</summary>
    public ushort Tag { get; init; }

    /// <summary>The start of a request, or the start or end of a bundle.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>The end of the loaded bundle.</summary>
    public DateTimeOffset LoadedEnd { get; init; }

    /// <summary>The number of slots from now on.</summary>
    public int Slots { get; init; }

    /// <summary>What is wrong with a bundle.</summary>
    public KeySetFault? Fault { get; init; }

    /// <summary>Why the zone cannot be signed, as in its status.</summary>
    public string? Error { get; init; }
}

/// <summary>The kind of a <see cref="KeyReply"/>.</summary>
public enum KeyReplyKind : byte
{
    /// <summary>Done: there is no more to say.</summary>
    Done,

    /// <summary>Done: keys roll over.</summary>
    RollsOver,

    /// <summary>Done: the keys roll over to another algorithm than that of the policy.</summary>
    AlgorithmRollsOver,

    /// <summary>Done: the parent has the DS records of the keys.</summary>
    DsConfirmed,

    /// <summary>Done: the parent has no DS records.</summary>
    NoDsConfirmed,

    /// <summary>Done: a bundle is loaded.</summary>
    BundleLoaded,

    /// <summary>Refused: the zone is not signed here.</summary>
    NotSignedHere,

    /// <summary>Refused: the zone is being signed.</summary>
    Busy,

    /// <summary>Refused: the zone cannot be signed.</summary>
    Failed,

    /// <summary>Refused: the zone is becoming unsigned.</summary>
    Leaving,

    /// <summary>Refused: the KSK is offline, and keys come in bundles.</summary>
    KeysInBundles,

    /// <summary>Refused: the KSK is offline, and bundles have keys of one algorithm.</summary>
    AlgorithmInBundles,

    /// <summary>Refused: the zone has no key yet.</summary>
    NoKey,

    /// <summary>Refused: the zone has no ZSK.</summary>
    NoZsk,

    /// <summary>Refused: the zone has no KSK here.</summary>
    NoKsk,

    /// <summary>Refused: the algorithm is not supported.</summary>
    AlgorithmUnsupported,

    /// <summary>Refused: the zone has the algorithm, or is rolling over to it.</summary>
    AlgorithmUnchanged,

    /// <summary>Refused: no DS record is requested yet.</summary>
    NoDsRequested,

    /// <summary>Refused: the requested DS record is of another key.</summary>
    OtherDsRequested,

    /// <summary>Refused: the policy keeps the KSK here.</summary>
    KskHere,

    /// <summary>Refused: a request ends before its start.</summary>
    EndTooEarly,

    /// <summary>Refused: a request is longer than <see cref="KeySetRequests.Most"/>.</summary>
    EndTooLate,

    /// <summary>Refused: a request needs more than <see cref="KeySets.MaxSlots"/> slots.</summary>
    TooManySlots,

    /// <summary>Refused: a bundle is faulty.</summary>
    BundleFaulty,

    /// <summary>Refused: a bundle ends before the loaded one.</summary>
    BundleShorter,

    /// <summary>Refused: a bundle begins later, and none is loaded until then.</summary>
    BundleTooLate,

    /// <summary>Refused: a bundle and the loaded one have more than <see cref="KeySets.MaxSlots"/> slots.</summary>
    BundleTooLong,
}

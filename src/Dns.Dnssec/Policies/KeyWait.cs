namespace Dns.Dnssec.Policies;

/// <summary>A pending event, and when it can happen.</summary>
/// <param name="At">When; null = not by time alone.</param>
/// <param name="For">Its condition besides time; null = none.</param>
public sealed record KeyWait(KeyIds Keys, KeyAction Action, DateTimeOffset? At, KeyCondition? For);

/// <summary>A step of keys, or an event that a step waits for.</summary>
public enum KeyAction : byte
{
    /// <summary>A key is generated.</summary>
    Make,

    /// <summary>The zone is served with the decided keys.</summary>
    Serve,

    /// <summary>Keys join the DNSKEY RRset.</summary>
    Publish,

    /// <summary>A key begins to sign the zone.</summary>
    SignZone,

    /// <summary>The parent is to get other DS records.</summary>
    SubmitDs,

    /// <summary>The DS record is seen at the parent.</summary>
    SeeDs,

    /// <summary>Keys sign the zone no longer.</summary>
    EndSigning,

    /// <summary>Keys leave the DNSKEY RRset.</summary>
    Remove,

    /// <summary>No cached version refers to a key any more.</summary>
    Forget,

    /// <summary>The record of an unused key is deleted.</summary>
    Purge,

    /// <summary>Another key replaces a key.</summary>
    RollOver,

    /// <summary>The next key set of an offline KSK is served.</summary>
    TakeKeySet,

    /// <summary>The signatures of the served key set expire.</summary>
    EndKeySet,
}

/// <summary>What a step waits for besides time.</summary>
/// <param name="Keys">The keys that it concerns; none = the whole zone.</param>
public readonly record struct KeyCondition(KeyConditionKind Kind, KeyIds Keys)
{
    /// <summary>A condition of the whole zone.</summary>
    public static implicit operator KeyCondition(KeyConditionKind kind) => new(kind, KeyIds.None);
}

/// <summary>The kind of a <see cref="KeyCondition"/>.</summary>
public enum KeyConditionKind : byte
{
    /// <summary>Earlier steps.</summary>
    EarlierSteps,

    /// <summary>The end of the rollover before it.</summary>
    EarlierRollover,

    /// <summary>The DS records of the keys at the parent.</summary>
    DsAtParent,

    /// <summary>The removal of the DS records at the parent.</summary>
    DsRemoved,

    /// <summary>An answer of the parent without DS records.</summary>
    ParentWithoutDs,

    /// <summary>The renewal of the last signatures of the keys.</summary>
    SignaturesRenewed,

    /// <summary>Signatures of the whole zone.</summary>
    ZoneSigned,

    /// <summary>Signatures of the zone with the decided keys.</summary>
    KeysServed,

    /// <summary>The removal of other keys, of which there are too many.</summary>
    KeysRemoved,
}

namespace Dns.Dnssec.Policies;

/// <summary>Decisions about keys as text, for the log, the status and the command line.</summary>
public static class KeyText
{
    /// <summary>A pending event.</summary>
    public static string Of(KeyAction action) => action switch
    {
        KeyAction.Make => "make",
        KeyAction.Serve => "serve",
        KeyAction.Publish => "publish",
        KeyAction.SignZone => "sign the zone",
        KeyAction.SubmitDs => "submit the DS record",
        KeyAction.SeeDs => "see the DS record",
        KeyAction.EndSigning => "end to sign the zone",
        KeyAction.Remove => "remove",
        KeyAction.Forget => "forget",
        KeyAction.Purge => "purge",
        KeyAction.RollOver => "roll over",
        KeyAction.TakeKeySet => "take the next key set",
        _ => "signatures of this key set end",
    };

    /// <summary>A condition, behind "waits for"; null without one.</summary>
    [return: NotNullIfNotNull(nameof(condition))]
    public static string? Of(KeyCondition? condition) => condition?.Kind switch
    {
        null => null,
        KeyConditionKind.EarlierRollover => "the rollover before it to end",
        KeyConditionKind.DsAtParent => $"the DS record of key {condition.Value.Keys.Tags()} at the parent",
        KeyConditionKind.DsRemoved => "the DS records at the parent to go",
        KeyConditionKind.ParentWithoutDs => "the parent to say that it has no DS records",
        KeyConditionKind.SignaturesRenewed =>
            $"the last signatures of key {condition.Value.Keys.Tags()} to be renewed",
        KeyConditionKind.ZoneSigned => "all of the zone to be signed",
        KeyConditionKind.KeysServed => "the zone to be signed with this set of keys",
        KeyConditionKind.KeysRemoved => "keys that are still in use to go",
        _ => "the steps before it",
    };

    /// <summary>A decision.</summary>
    public static string Of(KeyEvent decision) => decision.Kind switch
    {
        KeyEventKind.Made => $"key {decision.Keys} ({decision.Role.Text()}) is made",
        KeyEventKind.RollsOver => $"key {decision.Keys} ({decision.Role.Text()}) rolls over",
        KeyEventKind.Published => $"{Are(decision.Keys)} published",
        KeyEventKind.SignsZone => $"key {decision.Keys.Tags()} signs the zone"
            + (decision.Replaced.Count > 0 ? $" instead of key {decision.Replaced.Tags()}" : ""),
        KeyEventKind.DsRequested => $"CDS and CDNSKEY request the DS record of key {decision.Keys.Tags()}",
        KeyEventKind.DsSeen => decision.Keys.Count == 0 ? "the parent has no DS record of a key"
            : $"the parent has the DS record of key {decision.Keys.Tags()}",
        KeyEventKind.SigningEnded => $"key {decision.Keys.Tags()} does not sign the zone any more",
        KeyEventKind.Unpublished => $"{Are(decision.Keys)} taken out of the zone",
        KeyEventKind.Unused => $"key {decision.Keys.Tags()} is not used any more",
        KeyEventKind.KeySetExpired =>
            "the next key set is taken, since the signatures of the one before have ended",
        KeyEventKind.DsRemovalRequested => "CDS and CDNSKEY request the parent to remove the DS records",
        KeyEventKind.DsRemovalByHand =>
            "the DS records have to be removed at the parent by hand: its KSK is offline",
        _ => "the zone is not signed any more",
    };

    /// <summary>What is missing in the signatures of an offline KSK.</summary>
    public static string Of(OfflineFault fault) => fault.Kind switch
    {
        OfflineFaultKind.NoBundle => "its KSK is offline, and no bundle with its signatures is loaded: expected one "
            + "(\"dnsd keys request\", \"keys sign-request\" where the KSK is, \"keys load-bundle\")",
        OfflineFaultKind.NoServedKeySet => "its bundle lacks the key set that is served, and caches do not allow "
            + "another one of it yet: expected a bundle of a request made now",
        _ => $"the signatures of its KSK ended at {fault.End:u}: expected the next bundle (\"dnsd keys load-bundle\")",
    };

    /// <summary>When the parent was last queried, and its answer; null = never.</summary>
    public static string? Of(ParentReport? report) => report switch
    {
        null => null,
        { Seen: null } => $"{report.Resolver} could not tell at {report.At:u}: {report.Failure}",
        { Seen: { Keys.Count: 0, UnknownKeys: 0 } } => $"no DS records at {report.At:u}",
        { Seen: { } seen } => $"DS records of {(seen.Keys.Count > 0 ? "key " + seen.Keys.Tags() : "no key")}"
            + (seen.UnknownKeys > 0 ? $", and {seen.UnknownKeys} of no key of this zone" : "") + $" at {report.At:u}",
    };

    /// <summary>Keys with a verb: <c>keys 4711 and 815 are</c>.</summary>
    internal static string Are(KeyIds keys) => keys.Count == 1 ? $"key {keys.Tags()} is" : $"keys {keys.Tags()} are";
}

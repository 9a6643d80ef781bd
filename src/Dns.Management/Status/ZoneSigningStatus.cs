namespace Dns.Management.Status;

/// <summary>The signing status of a zone. Its JSON names are a stable interface.</summary>
public sealed record ZoneSigningStatus
{
    public string Policy { get; init; } = "";

    /// <summary>Its denial: <c>nsec</c>, <c>nsec3</c> or <c>compact</c>.</summary>
    public string Denial { get; init; } = "";

    public uint? SourceSerial { get; init; }

    /// <summary>The serial of the source's version from which the served one was made.</summary>
    public uint? SignedFrom { get; init; }

    /// <summary>Each key in use: algorithm, tag, role and state as text.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];

    /// <summary>The next events of the keys, as text.</summary>
    public IReadOnlyList<string> Next { get; init; } = [];

    /// <summary>The next renewal of signatures.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>Names visited by a signing of the whole zone; null if none is running.</summary>
    public long? ProgressNames { get; init; }

    /// <summary>The last answer of the parent; null = never queried.</summary>
    public string? Parent { get; init; }

    /// <summary>Whether its policy was removed, and it stays signed until its DS records are gone.</summary>
    public bool Leaving { get; init; }

    /// <summary>When the last signature of an offline KSK expires; null if none.</summary>
    public DateTimeOffset? BundleEnd { get; init; }

    /// <summary>Why the zone cannot be signed; null if it can.</summary>
    public string? Error { get; init; }

    /// <summary>The status of a zone; null if it is not signed here.</summary>
    public static ZoneSigningStatus? Of(SigningState? status) => status is null ? null : new ZoneSigningStatus
    {
        Policy = status.Policy,
        Denial = status.Denial.ToString().ToLowerInvariant(),
        SourceSerial = status.SourceSerial,
        SignedFrom = status.SignedFrom,
        Keys =
        [
            .. from key in status.Keys.Keys
               where !key.IsRemoved
               let state = KeyStates.Of(status.Keys, key)
               select $"{DnssecAlgorithms.NameOf(key.Id.Algorithm)}/{key.Id.Tag} {key.Role.Text()} {state.Text()}",
        ],
        Next = [.. status.Waits.Where(wait => wait.Action != KeyAction.Purge).Select(TextOf)],
        NextRefresh = status.NextRefresh,
        ProgressNames = status.Progress?.Names,
        Parent = KeyText.Of(status.Parent),
        Leaving = status.IsLeaving,
        BundleEnd = status.BundleEnd,
        Error = status.Error,
    };

    private static string TextOf(KeyWait wait)
    {
        string text = KeyText.Of(wait.Action);
        if (wait.Keys.Count > 0) text += $" {wait.Keys.Tags()}";
        if (wait.At is { } at) text += $" at {at:u}";
        return wait.For is null ? text : $"{text}: waits for {KeyText.Of(wait.For)}";
    }
}

using Dns.Dnssec;

namespace Dns.Management;

/// <summary>How a zone does that is signed on this server. What it is called in JSON is a contract.</summary>
internal sealed record ZoneSigningStatus
{
    /// <summary>The name of its policy.</summary>
    public string Policy { get; init; } = "";

    /// <summary>How it proves that something does not exist: <c>nsec</c>, <c>nsec3</c> or <c>compact</c>.</summary>
    public string Denial { get; init; } = "";

    /// <summary>The serial of the unsigned version that the source has.</summary>
    public uint? SourceSerial { get; init; }

    /// <summary>The serial of the unsigned version that what is served was made of.</summary>
    public uint? SignedFrom { get; init; }

    /// <summary>Each key in use: algorithm, tag, role and state in words.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];

    /// <summary>What comes next for the keys, in words.</summary>
    public IReadOnlyList<string> Next { get; init; } = [];

    /// <summary>When signatures are renewed next.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>Names gone through by a signing of the whole zone; null while none runs.</summary>
    public long? ProgressNames { get; init; }

    /// <summary>What the parent said when it was asked last; null = it was not.</summary>
    public string? Parent { get; init; }

    /// <summary>Whether its policy was taken away, and it stays signed until its DS records are gone.</summary>
    public bool Leaving { get; init; }

    /// <summary>When the last signature of a KSK that is kept elsewhere ends; null where there is none.</summary>
    public DateTimeOffset? BundleEnd { get; init; }

    /// <summary>Why the zone cannot be signed now; null if it can.</summary>
    public string? Error { get; init; }

    /// <summary>That of a zone; null if it is not signed here.</summary>
    public static ZoneSigningStatus? Of(SignedZoneStatus? status) => status is null ? null : new ZoneSigningStatus
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
        Next = [.. status.Waits.Where(wait => wait.Step != "purge").Select(TextOf)],
        NextRefresh = status.NextRefresh,
        ProgressNames = status.Progress?.Names,
        Parent = status.Parent,
        Leaving = status.IsLeaving,
        BundleEnd = status.BundleEnd,
        Error = status.Error,
    };

    private static string TextOf(KeyWait wait)
    {
        string text = wait.Keys.Count == 0 ? wait.Step : $"{wait.Step} {wait.Keys.Tags()}";
        if (wait.At is { } at) text += $" at {at:u}";
        return wait.For is null ? text : $"{text}: waits for {wait.For}";
    }
}

using System.Net;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>The slot of a zone that is copied from primaries, and what its source has to know of it: no timer and no thread.</summary>
/// <remarks>
/// What is scheduled is under the lock of the source, versions and states are published under <see cref="Publishing"/>; that one is taken
/// first. Times are ticks of the source's clock, <see cref="long.MaxValue"/> = never.
/// </remarks>
public sealed class SecondaryZone : ZoneSlot
{
    private readonly SecondarySource _source;
    private volatile Rules? _rules;

    internal SecondaryZone(SecondarySource source, SecondaryZoneOptions options) : base(options.Name)
    {
        _source = source;
        Options = options;
    }

    /// <summary>What the operator says of it.</summary>
    public SecondaryZoneOptions Options { get; internal set; }

    /// <summary>The source that it is of.</summary>
    internal SecondarySource Owner => _source;

    /// <inheritdoc/>
    public override ZoneReplica? Replica => _source.Describe(this);

    /// <summary>Held by who publishes, fails or expires the zone.</summary>
    internal Lock Publishing { get; } = new();

    /// <summary>When the schedule calls; of the schedule alone.</summary>
    internal long Due { get; set; } = long.MaxValue;

    /// <summary>The newest version, served or expired: where IXFR starts from.</summary>
    internal Zone? Held { get; set; }

    /// <summary>What the zone does.</summary>
    internal SecondaryActivity Activity { get; set; }

    /// <summary>When primaries are asked next.</summary>
    internal long RefreshDue { get; set; } = long.MaxValue;

    /// <summary>Until when <see cref="Held"/> may be served.</summary>
    internal long ExpiresDue { get; set; } = long.MaxValue;

    /// <summary>When a primary last had the version that is here.</summary>
    internal DateTimeOffset? ConfirmedAt { get; set; }

    /// <summary>When the times were last put on disk.</summary>
    internal long TimesSavedAt { get; set; } = long.MinValue / 2;

    /// <summary>Whether something has asked for a refresh since the one under way began.</summary>
    internal bool IsAskedAgain { get; set; }

    /// <summary>The serial ahead of ours that a NOTIFY told last; null = none did.</summary>
    internal uint? ToldSerial { get; set; }

    /// <summary>How often primaries are still asked again for that serial where they answer with ours.</summary>
    internal int AsksForTold { get; set; }

    /// <summary>Whether the operator wants the whole zone, whatever is here.</summary>
    internal bool IsRetransfer { get; set; }

    /// <summary>The primary that is asked first, by its number.</summary>
    internal int FirstPrimary { get; set; }

    /// <summary>How many primaries of this round have not been asked yet.</summary>
    internal int PrimariesLeft { get; set; }

    /// <summary>The primary that has a newer version, by its number.</summary>
    internal int TransferFrom { get; set; }

    /// <summary>The primary whose share of the places its transfer has.</summary>
    internal IPEndPoint? TransferPlace { get; set; }

    /// <summary>Whether that one takes queries with EDNS.</summary>
    internal bool HasEdns { get; set; } = true;

    /// <summary>How long that one says it would serve its version itself, in seconds; null = it does not say.</summary>
    internal uint? OfferedExpire { get; set; }

    /// <summary>Rounds in a row in which no primary could be used.</summary>
    internal int Failures { get; set; }

    /// <summary>Why the last round failed; null if it did not.</summary>
    internal TransferFailure? LastFailure { get; set; }

    /// <summary>The failure that was told last, since the last good round.</summary>
    internal string? ToldFailure { get; set; }

    /// <summary>When it was told.</summary>
    internal long ToldAt { get; set; }

    /// <summary>The transfer under way; null if there is none.</summary>
    internal TransferReader? Running { get; set; }

    /// <summary>Ends what is under way; replaced with each transfer.</summary>
    internal CancellationTokenSource? Work { get; set; }

    /// <summary>Whether it is no longer of the source: nothing of it is published or kept any more.</summary>
    internal bool IsGone { get; set; }

    /// <summary>Those who wait for the end of a round.</summary>
    internal List<TaskCompletionSource<TransferFailure?>>? Waiters { get; set; }

    /// <summary>The primaries, one at least.</summary>
    internal IReadOnlyList<PeerAddress> Primaries => Options.Primaries;

    /// <summary>Who may notify where nothing is said of that: the primaries, signed where they have a key.</summary>
    internal PeerList PrimaryRules
    {
        get
        {
            IReadOnlyList<PeerAddress> primaries = Primaries;
            if (_rules is { } rules && ReferenceEquals(rules.Of, primaries)) return rules.List;
            PeerList list = new(primaries.Select(primary => new PeerRule([NetworkOf(primary.EndPoint.Address)], primary.Key)));
            _rules = new Rules(primaries, list);
            return list;
        }
    }

    private static IPNetwork NetworkOf(IPAddress address) => new(address, address.GetAddressBytes().Length * 8);

    private sealed record Rules(IReadOnlyList<PeerAddress> Of, PeerList List);
}

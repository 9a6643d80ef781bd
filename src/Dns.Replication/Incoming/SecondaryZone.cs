namespace Dns.Replication.Incoming;

/// <summary>The slot of a secondary zone, with the state of its source; no timer or thread of its own.</summary>
/// <remarks>
/// Scheduling state is protected by the lock of the source, publication by <see cref="Publishing"/>, which is taken
/// first. Times are ticks of the source's clock, <see cref="long.MaxValue"/> = never.
/// </remarks>
public sealed class SecondaryZone : ZoneSlot, IReplicatedZone
{
    // How often a primary is queried that announced a serial but answers with an earlier one: after 1, 2, 4, 8 s.
    internal const int MaxNotifiedQueries = 4;

    private readonly SecondarySource _source;
    private volatile Rules? _rules;
    private long _expiresAt;

    internal SecondaryZone(SecondarySource source, SecondaryZoneOptions options) : base(options.Name)
    {
        _source = source;
        Options = options;
    }

    /// <summary>The options.</summary>
    public SecondaryZoneOptions Options { get; internal set; }

    internal SecondarySource Owner => _source;

    /// <inheritdoc/>
    public IPEndPoint? MainPrimary => Options.Primaries.FirstOrDefault()?.EndPoint;

    /// <inheritdoc/>
    public ZoneReplica Replica => _source.Describe(this);

    /// <inheritdoc/>
    public long ExpiresAt
    {
        get => Volatile.Read(ref _expiresAt);
        internal set => Volatile.Write(ref _expiresAt, value);
    }

    /// <summary>Held while the zone is published, failed or expired.</summary>
    internal Lock Publishing { get; } = new();

    /// <summary>The due time in the schedule, which alone accesses it.</summary>
    internal long Due { get; set; } = long.MaxValue;

    /// <summary>The newest version, served or expired: the start of IXFR.</summary>
    internal Zone? Held { get; set; }

    internal SecondaryActivity Activity { get; set; }

    /// <summary>Its node in the queue of a primary; null if it does not wait.</summary>
    internal LinkedListNode<SecondaryZone>? QueueNode { get; set; }

    /// <summary>Whether its stored copy is still to be read; a refresh that is requested meanwhile waits.</summary>
    internal bool IsLoading { get; set; }

    internal long RefreshDue { get; set; } = long.MaxValue;

    /// <summary>The expiry of <see cref="Held"/>.</summary>
    internal long ExpiresDue { get; set; } = long.MaxValue;

    /// <summary>When a primary last confirmed the current version.</summary>
    internal DateTimeOffset? ConfirmedAt { get; set; }

    internal long TimesSavedAt { get; set; } = long.MinValue / 2;

    /// <summary>Whether a refresh was requested since the current one, or the loading, began.</summary>
    internal bool NeedsAnotherCheck { get; set; }

    /// <summary>Whether something else than NOTIFY requested that refresh.</summary>
    internal bool IsUrgent { get; set; }

    /// <summary>Whether NOTIFY requested the current or next refresh.</summary>
    internal bool IsNotified { get; set; }

    /// <summary>When NOTIFY may start the next refresh.</summary>
    internal long NotifyDue { get; set; } = long.MinValue;

    /// <summary>The index of the primary to query first then.</summary>
    internal int NextPrimary { get; set; }

    /// <summary>The higher serial of the last NOTIFY; null = none.</summary>
    internal uint? NotifiedSerial { get; set; }

    /// <summary>The remaining number of queries for that serial.</summary>
    internal int NotifiedQueriesLeft { get; set; }

    /// <summary>Whether the operator requested the whole zone.</summary>
    internal bool IsRetransfer { get; set; }

    /// <summary>The index of the primary to query first.</summary>
    internal int FirstPrimary { get; set; }

    /// <summary>The number of primaries left in this round.</summary>
    internal int PrimariesLeft { get; set; }

    /// <summary>Whether it has moved in this round to the turn of a primary that notified.</summary>
    internal bool HasMoved { get; set; }

    /// <summary>The index of the primary with a newer version.</summary>
    internal int TransferFrom { get; set; }

    /// <summary>Whether that primary supports EDNS.</summary>
    internal bool HasEdns { get; set; } = true;

    /// <summary>The EXPIRE timer of that primary in seconds; null = none.</summary>
    internal uint? OfferedExpire { get; set; }

    /// <summary>The number of consecutive failed rounds.</summary>
    internal int Failures { get; set; }

    internal TransferFailure? LastFailure { get; set; }

    /// <summary>The last reported failure since the last successful round.</summary>
    internal string? ReportedFailure { get; set; }

    internal long ReportedAt { get; set; }

    /// <summary>The warnings of the last whole transfer.</summary>
    internal IReadOnlyList<string> Warnings { get; set; } = [];

    /// <summary>The running transfer; null for none.</summary>
    internal TransferReader? Running { get; set; }

    /// <summary>Cancels the running transfer; replaced with each.</summary>
    internal CancellationTokenSource? Work { get; set; }

    /// <summary>Whether it was removed: nothing of it is published or stored any more.</summary>
    internal bool IsGone { get; set; }

    /// <summary>Waiters for the end of a round.</summary>
    internal List<TaskCompletionSource<TransferFailure?>>? Waiters { get; set; }

    /// <summary>The primaries, at least one.</summary>
    internal IReadOnlyList<PeerAddress> Primaries => Options.Primaries;

    /// <summary>The default access list of NOTIFY: the primaries, with their keys.</summary>
    internal PeerList PrimaryRules
    {
        get
        {
            IReadOnlyList<PeerAddress> primaries = Primaries;
            if (_rules is { } rules && ReferenceEquals(rules.Of, primaries)) return rules.List;
            PeerList list =
                new(primaries.Select(primary => new PeerRule([NetworkOf(primary.EndPoint.Address)], primary.Key)));
            _rules = new Rules(primaries, list);
            return list;
        }
    }

    // When to query an announced serial again after a primary answered with ours: not all of its processes may have it
    // yet. Null to give up.
    internal TimeSpan? FindNotifiedRetry() =>
        NotifiedSerial is not { } notified || NotifiedQueriesLeft == 0
        || !SerialNumber.IsGreater(notified, Held!.Serial) ? null
            : TimeSpan.FromSeconds(1 << (MaxNotifiedQueries - NotifiedQueriesLeft--));

    private static IPNetwork NetworkOf(IPAddress address) => new(address, address.GetAddressBytes().Length * 8);

    private sealed record Rules(IReadOnlyList<PeerAddress> Of, PeerList List);
}

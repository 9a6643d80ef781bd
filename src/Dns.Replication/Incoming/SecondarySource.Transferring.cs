namespace Dns.Replication.Incoming;

/// <content>Transfers, and the publication of their versions.</content>
public sealed partial class SecondarySource
{
    /// <summary>Transfers a zone from the primary with a newer version; on failure the others are queried.</summary>
    /// <param name="slot">The primary in whose share of slots this runs.</param>
    private async Task TransferAsync(SecondaryZone zone, IPEndPoint slot)
    {
        PeerAddress primary = zone.Primaries[zone.TransferFrom % zone.Primaries.Count];
        TransferFailure? failure;
        try
        {
            failure = await TransferAsync(zone, primary, zone.Work!.Token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            _observer.OnFault(zone.Name, error);
            failure = new(TransferFailureKind.Cancelled, error.Message);
        }
        bool continues;
        lock (_gate)
        {
            _transferring--;
            _transfers.Leave(slot);
            zone.Running = null;
            zone.Work?.Dispose();
            zone.Work = null;
            continues = failure is not null && TryContinue(zone);
        }
        End(zone, failure, continues);
    }

    private async Task<TransferFailure?> TransferAsync(SecondaryZone zone, PeerAddress primary,
        CancellationToken cancellation)
    {
        DateTimeOffset queriedAt = _clock.Provider.GetUtcNow();
        long began = _clock.Now;
        TransferOrder order;
        lock (_gate)
        {
            order = new TransferOrder(zone.Name, zone.Held, _options)
            {
                IsWhole = zone.IsRetransfer, AcceptsAnySerial = zone.IsRetransfer, HasEdns = zone.HasEdns,
            };
        }
        TransferReader reader = await _client.TransferAsync(primary, order, Show, cancellation).ConfigureAwait(false);
        if (reader.Failure is { NeedsAxfr: true } && order.Have is not null && !order.IsWhole)
        {
            order = order with { IsWhole = true };
            reader = await _client.TransferAsync(primary, order, Show, cancellation).ConfigureAwait(false);
        }
        if (reader.Failure is not null) return reader.Failure;
        uint? offered = reader.ExpireSeconds ?? zone.OfferedExpire;
        if (reader.Zone is null)
        {
            // The primary went back since the query, or another one has delivered the version.
            if (reader.Serial != zone.Held?.Serial)
            {
                string found =
                    $"{primary.EndPoint} has serial {reader.Serial} now, which is behind {zone.Held?.Serial}";
                return new TransferFailure(TransferFailureKind.SerialBehind, found);
            }
            Confirm(zone, offered, queriedAt);
            return null;
        }
        if (Keep(zone, reader, offered, queriedAt) is { } failure) return failure;
        Counters.CountTransfer(reader);
        string[] warnings = [.. reader.Warnings.Except(zone.Warnings)];
        if (!reader.IsIncremental) zone.Warnings = reader.Warnings;
        _observer.OnTransferred(new TransferReport(
            zone.Name, primary, order.Have?.Serial, reader.Serial, reader.IsIncremental, reader.Records, reader.Octets,
            TimeSpan.FromTicks(_clock.Now - began), warnings));
        Succeed(zone, reader.Zone);
        return null;

        void Show(TransferReader running) => zone.Running = running;
    }

    /// <summary>Stores the result on disk, then serves it.</summary>
    private TransferFailure? Keep(
        SecondaryZone zone, TransferReader reader, uint? offeredExpire, DateTimeOffset queriedAt)
    {
        Zone next = reader.Zone!;
        SoaTimers times = SoaTimers.Of(next, zone.Options.MinRefresh);
        TimeSpan refresh = SoaTimers.Jitter(times.Refresh, _random), expire = times.ExpireAt(offeredExpire);
        ZoneDelta[] deltas = [.. reader.Versions.Select(version => version.Delta)];
        lock (zone.Publishing)
        {
            if (zone.IsGone) return new TransferFailure(TransferFailureKind.Cancelled, "the zone is no longer served");
            try
            {
                _copies.Save(
                    new ZoneCopy(next, new ZoneCopyTimes(queriedAt, queriedAt + refresh, queriedAt + expire)), deltas);
            }
            catch (IOException error)
            {
                return new TransferFailure(TransferFailureKind.NotStored,
                    $"serial {next.Serial} cannot be put on disk: {error.Message}");
            }
            lock (_gate)
            {
                zone.Held = next;
                (zone.RefreshDue, zone.ExpiresDue) = (_clock.Now + refresh.Ticks, _clock.Now + expire.Ticks);
                (zone.ConfirmedAt, zone.TimesSavedAt) = (queriedAt, _clock.Now);
            }
            zone.ExpiresAt = SecondsOf(zone, queriedAt);
            if (reader.Versions.Count == 0 || zone.SourceZone is null) zone.Publish(next, queriedAt);
            // Each version, so that IXFR can serve clients of all of them.
            else foreach ((ZoneDelta delta, Zone version) in reader.Versions) zone.Publish(version, queriedAt, delta);
        }
        return null;
    }

    /// <summary>Serves a version that is not served yet, or was expired. Under the lock of the zone.</summary>
    private void Publish(SecondaryZone zone, Zone held, DateTimeOffset now)
    {
        zone.ExpiresAt = SecondsOf(zone, now);
        if (zone.State != ZoneState.Serving || !ReferenceEquals(zone.SourceZone, held)) zone.Publish(held, now);
    }

    private void ExpireNow(SecondaryZone zone)
    {
        lock (zone.Publishing)
        {
            lock (_gate)
                if (zone.IsGone || !IsTooOld(zone)) return;
            Expire(zone, zone.Held!, _clock.Provider.GetUtcNow());
        }
    }

    private void Expire(SecondaryZone zone, Zone held, DateTimeOffset now)
    {
        zone.Expire(new ExpiredFailure(held.Serial, zone.LastFailure), now);
        _observer.OnExpired(zone.Name, held.Serial);
    }

    /// <summary>The expiry of a version, in seconds since 1970.</summary>
    private long SecondsOf(SecondaryZone zone, DateTimeOffset now)
    {
        lock (_gate) return now.AddTicks(zone.ExpiresDue - _clock.Now).ToUnixTimeSeconds();
    }
}

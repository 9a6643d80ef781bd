namespace Dns.Replication.Incoming;

/// <summary>The versions of secondary zones: loaded from disk, stored, served, confirmed and expired.</summary>
internal sealed class SecondaryVersions(SecondaryContext context, RefreshRounds rounds, IZoneCopies copies)
{
    /// <summary>The minimum interval between stores of times.</summary>
    private static readonly TimeSpan TimesKeptFor = TimeSpan.FromSeconds(10);

    /// <summary>Called with the deltas that a copy had: see <see cref="SecondarySource.Restored"/>.</summary>
    public Action<ZoneSlot, IReadOnlyList<ZoneDelta>>? Restored { get; set; }

    /// <summary>Serves the stored copy of a zone, and schedules its first refresh.</summary>
    public ZoneLoadSummary Load(SecondaryZone zone, CancellationToken cancellation)
    {
        try
        {
            return TryLoad(zone, out ZoneCopy? copy, cancellation) ? Restore(zone, copy) : default;
        }
        catch (Exception error)
        {
            context.Observer.OnFault(zone.Name, error);
            lock (context.Gate) zone.NeedsAnotherCheck = true;
            return default;
        }
        finally
        {
            EndLoading(zone);
        }
    }

    /// <summary>Deletes the copy of a removed zone whose name is not in use again.</summary>
    public void DeleteCopy(SecondaryZone zone)
    {
        // The end of the loading deletes it.
        lock (context.Gate)
            if (zone.IsLoading) return;
        if (!context.Zones.ContainsKey(zone.Name)) copies.Delete(zone.Name);
    }

    /// <summary>Stores the result of a transfer on disk, then serves it.</summary>
    public TransferFailure? Keep(
        SecondaryZone zone, TransferReader reader, uint? offeredExpire, DateTimeOffset queriedAt)
    {
        Zone next = reader.Zone!;
        SoaTimers times = SoaTimers.Of(next, zone.Options.MinRefresh);
        TimeSpan refresh = context.Jitter(times.Refresh), expire = times.ExpireAt(offeredExpire);
        ZoneDelta[] deltas = [.. reader.Versions.Select(version => version.Delta)];
        lock (zone.Publishing)
        {
            if (zone.IsGone) return new TransferFailure(TransferFailureKind.Cancelled, "the zone is no longer served");
            try
            {
                copies.Save(
                    new ZoneCopy(next, new ZoneCopyTimes(queriedAt, queriedAt + refresh, queriedAt + expire)), deltas);
            }
            catch (IOException error)
            {
                return new TransferFailure(TransferFailureKind.NotStored,
                    $"serial {next.Serial} cannot be put on disk: {error.Message}");
            }
            lock (context.Gate)
            {
                long now = context.Clock.Now;
                zone.Held = next;
                (zone.RefreshDue, zone.ExpiresDue) = (now + refresh.Ticks, now + expire.Ticks);
                (zone.ConfirmedAt, zone.TimesSavedAt) = (queriedAt, now);
            }
            zone.ExpiresAt = SecondsOf(zone, queriedAt);
            if (reader.Versions.Count == 0 || zone.SourceZone is null) zone.Publish(next, queriedAt);
            // Each version, so that IXFR can serve clients of all of them.
            else foreach ((ZoneDelta delta, Zone version) in reader.Versions) zone.Publish(version, queriedAt, delta);
        }
        return null;
    }

    /// <summary>A primary has confirmed the current version; false if the zone is gone.</summary>
    public bool TryConfirm(SecondaryZone zone, uint? offeredExpire, DateTimeOffset queriedAt)
    {
        bool savesTimes;
        lock (zone.Publishing)
        {
            Zone held;
            lock (context.Gate)
            {
                if (zone.IsGone || zone.Held is null) return false;
                held = zone.Held;
                SoaTimers times = SoaTimers.Of(held, zone.Options.MinRefresh);
                long now = context.Clock.Now;
                // RFC 7314 §4: our remaining time may exceed the primary's.
                long expires = now + times.ExpireAt(offeredExpire).Ticks;
                zone.ExpiresDue = offeredExpire is null || zone.ExpiresDue == long.MaxValue
                    ? expires : Math.Max(expires, zone.ExpiresDue);
                TimeSpan next = context.Jitter(times.Refresh);
                if (zone.FindNotifiedRetry() is { } soon && soon < next) next = soon;
                zone.RefreshDue = now + next.Ticks;
                zone.ConfirmedAt = queriedAt;
                savesTimes = now - zone.TimesSavedAt >= TimesKeptFor.Ticks;
            }
            // A version whose offered time is over is not served at all.
            if (!context.IsTooOld(zone)) Publish(zone, held, queriedAt);
        }
        if (savesTimes) SaveTimes(zone);
        return true;
    }

    /// <summary>Stores the times of a zone if they have changed.</summary>
    public void SaveTimes(SecondaryZone zone)
    {
        ZoneCopyTimes times;
        lock (context.Gate)
        {
            if (zone.IsGone || zone.Held is null || zone.ConfirmedAt is null) return;
            times = TimesOf(zone);
            zone.TimesSavedAt = context.Clock.Now;
        }
        try
        {
            copies.SaveTimes(zone.Name, times);
        }
        catch (IOException)
        {
            // The stored times are earlier, which is safe. A full disk is reported with the next version.
        }
    }

    /// <summary>Stops serving a version that is too old.</summary>
    public void Expire(SecondaryZone zone)
    {
        lock (zone.Publishing)
        {
            lock (context.Gate)
                if (zone.IsGone || !context.IsTooOld(zone)) return;
            Expire(zone, zone.Held!, context.UtcNow);
        }
    }

    private bool TryLoad(SecondaryZone zone, [NotNullWhen(true)] out ZoneCopy? copy, CancellationToken cancellation)
    {
        copy = null;
        try
        {
            copies.TryLoad(zone.Name, context.Options.ZoneLimits, out copy, out CopyDamage? damage, cancellation);
            if (damage is not null)
                context.Observer.OnCopyBroken(zone.Name, damage.ToString(), copy?.Zone.Serial);
            // The times of a damaged copy are those of a version that is lost.
            else if (copy is not null) return true;
            lock (context.Gate) zone.NeedsAnotherCheck = true;
            return copy is not null;
        }
        catch (OperationCanceledException)
        {
            // The server is stopping. A version that is transferred now could be older than the copy.
            lock (context.Gate)
            {
                zone.NeedsAnotherCheck = false;
                rounds.End(zone, new TransferFailure(TransferFailureKind.Cancelled, "the server is stopping"));
            }
            return false;
        }
    }

    /// <summary>Starts the refresh that was requested while the copy was read.</summary>
    private void EndLoading(SecondaryZone zone)
    {
        bool isGone;
        lock (context.Gate)
        {
            (zone.IsLoading, isGone) = (false, zone.IsGone);
            if (zone.NeedsAnotherCheck) rounds.Schedule(zone, zone.NextPrimary);
        }
        if (isGone) DeleteCopy(zone);
    }

    private ZoneLoadSummary Restore(SecondaryZone zone, ZoneCopy copy)
    {
        Serve(zone, copy);
        // Without a failure, a zone that is signed here waits for its signed version.
        if (zone.SourceZone is null || zone is { Zone: null, Failure: not null })
            return new ZoneLoadSummary(0, 1, 0, 0);
        return new ZoneLoadSummary(1, 0, copy.Zone.RecordCount, copy.Zone.MemoryBytes);
    }

    private void Serve(SecondaryZone zone, ZoneCopy copy)
    {
        DateTimeOffset now = context.UtcNow;
        SoaTimers times = SoaTimers.Of(copy.Zone, zone.Options.MinRefresh);
        // The wall clock may have been set: never longer than the version may be served.
        DateTimeOffset since = copy.Times.ConfirmedAt < now ? now : copy.Times.ConfirmedAt;
        TimeSpan left = Shorter(copy.Times.ExpiresAt - since, times.Expire);
        TimeSpan wait = Shorter(copy.Times.RefreshAt - now, times.Refresh);
        lock (zone.Publishing)
        {
            lock (context.Gate)
            {
                // Never an older version over a newer one, although no transfer starts while the copy is read.
                if (zone.IsGone || zone.Held is not null) return;
                zone.Held = copy.Zone;
                zone.ConfirmedAt = copy.Times.ConfirmedAt;
                zone.ExpiresDue = context.Clock.Now + Math.Max(0, left.Ticks);
                zone.RefreshDue = context.Clock.Now + Math.Max(0, wait.Ticks);
                rounds.Plan(zone);
            }
            if (left > TimeSpan.Zero) Publish(zone, copy.Zone, now);
            else Expire(zone, copy.Zone, now);
            if (copy.Deltas.Count > 0 && ReferenceEquals(zone.Zone, copy.Zone)) Restored?.Invoke(zone, copy.Deltas);
        }
    }

    private ZoneCopyTimes TimesOf(SecondaryZone zone)
    {
        DateTimeOffset now = context.UtcNow;
        long ticks = context.Clock.Now;
        return new ZoneCopyTimes(zone.ConfirmedAt ?? now, At(zone.RefreshDue), At(zone.ExpiresDue));

        DateTimeOffset At(long due) => due == long.MaxValue ? now : now.AddTicks(due - ticks);
    }

    /// <summary>Serves a version that is not served yet, or was expired. Under the lock of the zone.</summary>
    private void Publish(SecondaryZone zone, Zone held, DateTimeOffset now)
    {
        zone.ExpiresAt = SecondsOf(zone, now);
        if (zone.State != ZoneState.Serving || !ReferenceEquals(zone.SourceZone, held)) zone.Publish(held, now);
    }

    private void Expire(SecondaryZone zone, Zone held, DateTimeOffset now)
    {
        zone.Expire(new ExpiredFailure(held.Serial, zone.LastFailure), now);
        context.Observer.OnExpired(zone.Name, held.Serial);
    }

    /// <summary>The expiry of a version, in seconds since 1970.</summary>
    private long SecondsOf(SecondaryZone zone, DateTimeOffset now)
    {
        lock (context.Gate) return now.AddTicks(zone.ExpiresDue - context.Clock.Now).ToUnixTimeSeconds();
    }

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;
}

namespace Dns.Replication.Incoming;

/// <summary>The attempts of a round at one primary, query of its serial and transfer, and what follows.</summary>
internal sealed class RefreshAttempts(
    SecondaryContext context, RefreshRounds rounds, SecondaryVersions versions, PrimaryClient client)
{
    /// <summary>The least time between two reports of failures of a zone.</summary>
    private static readonly TimeSpan LeastQuiet = TimeSpan.FromSeconds(10);

    /// <summary>Queries the serial of the next primary: null if that decides, or why it is useless.</summary>
    public async Task<TransferFailure?> QueryAsync(SecondaryZone zone)
    {
        int number = zone.FirstPrimary % zone.Primaries.Count;
        PeerAddress primary = zone.Primaries[number];
        zone.FirstPrimary = number + 1;
        zone.PrimariesLeft--;
        DateTimeOffset queriedAt = context.UtcNow;
        PrimaryAnswer answer = await client
            .QueryAsync(primary, zone.Name, context.Options.Keys, context.Stopping.Token).ConfigureAwait(false);
        return Evaluate(zone, number, answer, queriedAt);
    }

    /// <summary>Transfers a zone from the primary with a newer version; null on success.</summary>
    public async Task<TransferFailure?> TransferAsync(SecondaryZone zone)
    {
        PeerAddress primary = zone.Primaries[zone.TransferFrom % zone.Primaries.Count];
        CancellationToken cancellation = zone.Work!.Token;
        DateTimeOffset queriedAt = context.UtcNow;
        long began = context.Clock.Now;
        TransferOrder order;
        lock (context.Gate)
        {
            order = new TransferOrder(zone.Name, zone.Held, context.Options)
            {
                IsWhole = zone.IsRetransfer, AcceptsAnySerial = zone.IsRetransfer, HasEdns = zone.HasEdns,
            };
        }
        TransferReader reader = await client.TransferAsync(primary, order, Show, cancellation).ConfigureAwait(false);
        if (reader.Failure is { NeedsAxfr: true } && order.Have is not null && !order.IsWhole)
        {
            order = order with { IsWhole = true };
            reader = await client.TransferAsync(primary, order, Show, cancellation).ConfigureAwait(false);
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
        if (versions.Keep(zone, reader, offered, queriedAt) is { } failure) return failure;
        context.Counters.CountTransfer(reader);
        string[] warnings = [.. reader.Warnings.Except(zone.Warnings)];
        if (!reader.IsIncremental) zone.Warnings = reader.Warnings;
        context.Observer.OnTransferred(new TransferReport(
            zone.Name, primary, order.Have?.Serial, reader.Serial, reader.IsIncremental, reader.Records, reader.Octets,
            TimeSpan.FromTicks(context.Clock.Now - began), warnings));
        Succeed(zone, reader.Zone);
        return null;

        void Show(TransferReader running) => zone.Running = running;
    }

    /// <summary>All primaries of the round have failed.</summary>
    public void Fail(SecondaryZone zone, TransferFailure failure)
    {
        bool isNews;
        Zone? served;
        lock (zone.Publishing)
        {
            lock (context.Gate)
            {
                if (zone.IsGone || context.Stopping.IsCancellationRequested)
                {
                    rounds.End(zone, failure);
                    return;
                }
                zone.Failures++;
                zone.LastFailure = failure;
                TimeSpan wait = zone.Held is null
                    ? SoaTimers.RetryWithout(zone.Failures) : SoaTimers.Of(zone.Held, zone.Options.MinRefresh).Retry;
                long now = context.Clock.Now;
                zone.RefreshDue = now + context.Jitter(wait).Ticks;
                // Another reason soon after is not: NOTIFY of unsigned senders would decide which primary is named.
                TimeSpan quiet = TimeSpan.FromTicks(now - zone.ReportedAt);
                isNews = zone.ReportedFailure is null || quiet >= TimeSpan.FromHours(1)
                    || zone.ReportedFailure != failure.Message && quiet >= LeastQuiet;
                if (isNews) (zone.ReportedFailure, zone.ReportedAt) = (failure.Message, now);
                served = zone.Zone;
            }
            zone.Fail(failure, context.UtcNow);
            lock (context.Gate) rounds.End(zone, failure);
        }
        PeerAddress last = zone.Primaries[(zone.FirstPrimary + zone.Primaries.Count - 1) % zone.Primaries.Count];
        if (isNews) context.Observer.OnFailed(zone.Name, last, failure, served?.Serial);
    }

    private TransferFailure? Evaluate(
        SecondaryZone zone, int number, in PrimaryAnswer answer, DateTimeOffset queriedAt)
    {
        if (answer.Failure is not null) return answer.Failure;
        uint serial = answer.Soa.Serial;
        lock (context.Gate)
        {
            if (zone.Held is null || zone.IsRetransfer || SerialNumber.IsGreater(serial, zone.Held.Serial))
            {
                (zone.TransferFrom, zone.HasEdns, zone.OfferedExpire) =
                    (number, answer.HasEdns, answer.Soa.ExpireSeconds);
                rounds.QueueTransfer(zone);
                return null;
            }
        }
        if (serial != zone.Held.Serial)
        {
            string found = $"{zone.Primaries[number].EndPoint} has serial {serial}, which is behind {zone.Held.Serial}";
            return new TransferFailure(TransferFailureKind.SerialBehind, found);
        }
        context.Counters.CountUpToDate();
        Confirm(zone, answer.Soa.ExpireSeconds, queriedAt);
        return null;
    }

    private void Confirm(SecondaryZone zone, uint? offeredExpire, DateTimeOffset queriedAt)
    {
        if (versions.TryConfirm(zone, offeredExpire, queriedAt)) Succeed(zone, zone.Held!);
    }

    private void Succeed(SecondaryZone zone, Zone held)
    {
        bool wasReported;
        lock (context.Gate)
        {
            wasReported = zone.ReportedFailure is not null;
            (zone.Failures, zone.LastFailure, zone.ReportedFailure) = (0, null, null);
            rounds.End(zone, null);
        }
        if (wasReported) context.Observer.OnRecovered(zone.Name, held.Serial);
    }
}

using Microsoft.Extensions.Logging;

namespace Dns.Features.Updates;

/// <summary>Logs events of updates.</summary>
public sealed class UpdateLog(ILogger logger, TimeProvider clock) : IUpdateObserver
{
    private readonly BoundedLines _failing = new(clock);
    private readonly BoundedLines _crashing = new(clock);

    public void OnApplied(DomainName zone, ZoneAuthor author, int removed, int added, uint serial)
    {
        if (logger.IsEnabled(LogLevel.Information))
            logger.ZoneUpdated(zone, author.Client, author.Key ?? "none", added, removed, serial);
    }

    public void OnRefused(DomainName zone, ZoneAuthor author, ZoneWriteFault reason) =>
        logger.UpdateRefused(zone, author.Client, author.Key ?? "none", ZoneWriteFaultText.Of(reason));

    public void OnFailed(DomainName zone, string reason)
    {
        // With a full disk there would be a line for each update.
        if (_failing.TryTake(out string more)) logger.UpdateNotKept(zone, reason + more);
    }

    public void OnNotCompacted(DomainName zone, long octets) =>
        logger.JournalNotCompacted(zone, octets / (1024.0 * 1024.0), zone);

    public void OnLoss(DomainName zone, string path, JournalLoss loss)
    {
        if (loss.SerialBound is { } serial) logger.JournalDamaged(zone, path, loss.ToString(), serial);
        else logger.JournalTorn(zone, path, loss.ToString());
    }

    public void OnConflict(DomainName zone, FileConflict conflict) =>
        logger.ZoneFileConflict(zone, conflict.ToString());

    public void OnCrash(DomainName zone, Exception error)
    {
        // Each has a stack trace, and a client that has found a defect can send the message again and again.
        if (_crashing.TryTake(out string more)) logger.UpdateCrashed(error, zone, more);
    }
}

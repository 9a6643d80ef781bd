using Microsoft.Extensions.Logging;

namespace Dns.Features.Secondary;

/// <summary>Logs events of secondaries: a line for each transfer, and one for each reason of a failure.</summary>
public sealed class SecondaryLog(ILogger<SecondaryLog> logger) : ISecondaryObserver
{
    private const int MaxWarnings = 10;

    public void OnTransferred(TransferReport report)
    {
        string from = report.FromSerial is { } serial ? $"serial {serial}" : "nothing";
        logger.ZoneTransferred(
            report.Zone, report.Primary, from, report.ToSerial, report.IsIncremental ? "IXFR" : "AXFR",
            Counted.Of(report.Records, "record"), report.Octets, report.Time.TotalSeconds);
        foreach (string warning in report.Warnings.Take(MaxWarnings)) logger.ZoneTransferOdd(report.Zone, warning);
        int more = report.Warnings.Count - MaxWarnings;
        if (more > 0) logger.ZoneTransferOdd(report.Zone, $"... and {more:N0} more");
    }

    public void OnFailed(DomainName zone, PeerAddress primary, TransferFailure failure, uint? servedSerial)
    {
        if (servedSerial is { } serial) logger.ZoneNotRefreshed(zone, primary, failure.Message, serial);
        else logger.ZoneNotTransferred(zone, primary, failure.Message);
    }

    public void OnRecovered(DomainName zone, uint serial) => logger.ZoneRefreshedAgain(zone, serial);

    public void OnExpired(DomainName zone, uint serial) => logger.ZoneExpired(zone, serial);

    public void OnCopyBroken(DomainName zone, string problem, uint? servedSerial)
    {
        string then = servedSerial is { } serial ? $"serial {serial} is served from it" : "it is transferred anew";
        logger.ZoneCopyBroken(zone, problem, then);
    }

    public void OnNotifyRefused(DomainName zone, ClientAddress client, string reason) =>
        logger.NotifyRefused(zone, client, reason);

    public void OnFault(DomainName zone, Exception error) => logger.SecondaryFault(error, zone);
}

using Microsoft.Extensions.Logging;

namespace Dns.Features.Transfers;

/// <summary>Logs outgoing transfers and the history that they need. Thread-safe.</summary>
public sealed class TransferLog(ILogger logger, TimeProvider clock) : ITransferObserver, IHistoryObserver
{
    private readonly BoundedLines _noTransfer = new(clock), _datagrams = new(clock), _broken = new(clock),
        _notStored = new(clock);

    public void OnEnded(in TransferSummary summary)
    {
        string more = "";
        // The address of a datagram may be forged: a line for each would fill the disk.
        if (summary.IsDatagram && !_datagrams.TryTake(out more)) return;
        string kind = TextOf(summary.Kind);
        string client = summary.Client + (summary.Key is null ? "" : $" key:{summary.Key}");
        string records = Counted.Of(summary.Records, "record"), messages = Counted.Of(summary.Messages, "message");
        string octets = Counted.Of(summary.Octets, "octet");
        double seconds = summary.Elapsed.TotalSeconds;
        switch (summary.Outcome)
        {
            case TransferOutcome.Complete:
                logger.TransferDone(kind, summary.Zone, client, summary.Serial, records, messages,
                    octets + more, seconds);
                break;
            case TransferOutcome.RecordTooLarge:
                logger.TransferTooLarge(kind, summary.Zone, client, summary.TooLarge, summary.Serial);
                break;
            default:
                logger.TransferEndedEarly(kind, summary.Zone, client, summary.Serial, records, messages,
                    octets, seconds);
                break;
        }
    }

    public void OnRefused(DomainName zone, in ClientAddress client, TransferRefusal reason)
    {
        if (_noTransfer.TryTake(out string more)) logger.TransferRefused(zone, client.ToString(), TextOf(reason), more);
    }

    public void OnHistoryBroken(DomainName zone, string problem)
    {
        if (_broken.TryTake(out string more)) logger.HistoryBroken(zone, problem, more);
    }

    public void OnHistoryNotStored(DomainName zone, string reason)
    {
        if (_notStored.TryTake(out string more)) logger.HistoryNotStored(zone, reason, more);
    }

    private static string TextOf(TransferKind kind) => kind switch
    {
        TransferKind.Whole => "AXFR",
        TransferKind.Changes => "IXFR",
        _ => "AXFR for IXFR",
    };

    private static string TextOf(TransferRefusal reason) => reason switch
    {
        TransferRefusal.NotAllowed => "AllowTransfer does not list it",
        TransferRefusal.BadSignature =>
            "its TSIG does not verify: the key's name, algorithm or secret differ, or the clocks",
        TransferRefusal.SignedOnline => "its policy has compact denial, so that a copy would have no signatures",
        TransferRefusal.TakingOver => "its serial is not reserved yet, as during a takeover: it is notified then",
        TransferRefusal.Busy => "as many transfers run as may, in all or to this address",
        _ => "there is no data of the zone",
    };
}

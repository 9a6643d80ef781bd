using Microsoft.Extensions.Logging;

namespace Dns.Features.Notify;

/// <summary>Logs notifications. Thread-safe.</summary>
public sealed class NotifyLog(ILogger logger, TimeProvider clock) : INotifyObserver
{
    private readonly BoundedLines _refusing = new(clock), _withoutKey = new(clock);

    public void OnSilent(PeerAddress target, DomainName zone, Rcode? unproven) => logger.NotifyUnanswered(
        target, zone, unproven is { } rcode ? $": {RcodeText.Format(rcode)} came without a good signature" : "");

    public void OnAnswering(PeerAddress target) => logger.NotifyAnswered(target);

    public void OnRefused(PeerAddress target, DomainName zone, Rcode rcode)
    {
        if (_refusing.TryTake(out string more)) logger.NotifyRefused(target, zone, RcodeText.Format(rcode), more);
    }

    public void OnKeyUnknown(PeerAddress target, DomainName zone)
    {
        if (_withoutKey.TryTake(out string more)) logger.NotifyKeyUnknown(target, zone, more);
    }
}

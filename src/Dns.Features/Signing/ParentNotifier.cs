using System.Threading.Channels;

namespace Dns.Features.Signing;

/// <summary>
/// Notifies parents of CDS and CDNSKEY records (RFC 9859): finds their servers through the resolver of the policy, for
/// a bounded number of zones at a time, and passes them to the sender of notifications. Thread-safe.
/// </summary>
public sealed class ParentNotifier : IDisposable
{
    private const int MaxConcurrent = 4;

    private readonly DsClient _client;
    private readonly ParentDiscovery _discovery;
    private readonly NotifySender _sender;
    private readonly TimeProvider _time;
    private readonly SigningLog _log;
    private readonly Channel<(ZoneSlot Slot, PeerAddress Resolver)> _zones =
        Channel.CreateUnbounded<(ZoneSlot, PeerAddress)>();
    private readonly CancellationTokenSource _stopping = new();

    /// <param name="log">Receives events.</param>
    public ParentNotifier(IOutgoingNetwork network, NotifySender sender, TimeProvider time, SigningLog log)
    {
        (_sender, _time, _log) = (sender, time, log);
        _client = new DsClient(network, time);
        _discovery = new ParentDiscovery(_client);
        for (int i = 0; i < MaxConcurrent; i++) _ = RunAsync();
    }

    /// <summary>Notifies the parents of a service's zones from now on.</summary>
    public void Follow(ZoneSigning signing) => signing.ParentNotifying += Notify;

    /// <summary>Notifies the parent of a zone. Neither waits nor throws.</summary>
    public void Notify(ZoneSlot slot, PeerAddress resolver) => _zones.Writer.TryWrite((slot, resolver));

    public void Dispose()
    {
        _zones.Writer.TryComplete();
        _stopping.Cancel();
        _client.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (await _zones.Reader.WaitToReadAsync(_stopping.Token).ConfigureAwait(false))
            {
                if (!_zones.Reader.TryRead(out (ZoneSlot Slot, PeerAddress Resolver) zone)) continue;
                _log.OnParentNotified(zone.Slot.Name,
                    await NotifyAsync(zone.Slot, zone.Resolver).ConfigureAwait(false));
                await Task.Delay(ParentCheck.Pause, _time, _stopping.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
    }

    /// <summary>Notifies one parent, and returns a text that names its servers.</summary>
    private async Task<string> NotifyAsync(ZoneSlot slot, PeerAddress resolver)
    {
        try
        {
            (IReadOnlyList<ParentServer> servers, string? failure) =
                await _discovery.FindAsync(resolver, slot.Name, _stopping.Token).ConfigureAwait(false);
            if (failure is not null) return $"who takes notifications is not known: {failure}";
            if (servers.Count == 0) return "it takes no notifications";
            foreach (ParentServer server in servers) _sender.Send(slot, new PeerAddress(server.EndPoint), server.Type);
            return "notifying " +
                string.Join(", ", servers.Select(server => $"{server.EndPoint} of {RRTypeText.Format(server.Type)}"));
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // No route, no descriptors: like a resolver that does not answer.
            return $"who takes notifications is not known: {error.Message}";
        }
    }
}

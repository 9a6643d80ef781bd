namespace Dns.Dnssec.Service;

/// <summary>
/// Zones that wait for a thread: one of each primary in turn, and one of those without. Many zones of one primary thus
/// do not delay others, although making their keys takes long. Not thread-safe.
/// </summary>
internal sealed class SigningQueue
{
    private static readonly IPEndPoint None = new(IPAddress.None, 0);

    private readonly Dictionary<IPEndPoint, Queue<SignedZone>> _byPrimary = [];
    private readonly Queue<IPEndPoint> _turns = [];

    internal void Enqueue(SignedZone zone)
    {
        IPEndPoint primary = (zone.Slot as IReplicatedZone)?.MainPrimary ?? None;
        if (!_byPrimary.TryGetValue(primary, out Queue<SignedZone>? zones))
        {
            _byPrimary[primary] = zones = [];
            _turns.Enqueue(primary);
        }
        zones.Enqueue(zone);
    }

    internal bool TryDequeue([NotNullWhen(true)] out SignedZone? zone)
    {
        zone = null;
        if (!_turns.TryDequeue(out IPEndPoint? primary)) return false;
        Queue<SignedZone> zones = _byPrimary[primary];
        zone = zones.Dequeue();
        if (zones.Count > 0) _turns.Enqueue(primary);
        else _byPrimary.Remove(primary);
        return true;
    }
}

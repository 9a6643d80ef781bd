using System.Collections.Concurrent;

namespace Dns.Zones.Sources;

/// <summary>
/// Whether this process may write and send for a zone yet: in a takeover not before the process that it replaces has
/// ended. Thread-safe; readers never wait.
/// </summary>
public sealed class Handover
{
    private readonly ConcurrentDictionary<DomainName, bool> _withheld = [];
    private volatile bool _isPending;

    /// <summary>
    /// Raised just before the other process's files are followed: what was read of them may be out of date. Handlers
    /// must not throw.
    /// </summary>
    public event Action? Ending;

    /// <summary>Raised once this process may write. Handlers must not throw.</summary>
    public event Action? Ended;

    /// <summary>Another process still serves the zones. Called before the first zone.</summary>
    public void Begin() => _isPending = true;

    /// <summary>
    /// Whether journals, copies and keys may be written, and servers be notified: another process would write, or
    /// answer the SOA query that follows.
    /// </summary>
    public bool MayWrite => !_isPending;

    /// <summary>
    /// Whether secondaries may get the served version of a zone, and be notified of it: not while the other process may
    /// use its serial for another version.
    /// </summary>
    public bool MaySend(DomainName zone) => _withheld.IsEmpty || !_withheld.ContainsKey(zone);

    /// <summary>The serial of a served version is not reserved: secondaries do not get it.</summary>
    public void Withhold(DomainName zone) => _withheld[zone] = true;

    /// <summary>The serial of the served version is reserved, or the zone is gone.</summary>
    public void Admit(DomainName zone) => _withheld.TryRemove(zone, out _);

    /// <summary>The other process has ended. Idempotent.</summary>
    public void Complete()
    {
        if (!_isPending) return;
        Ending?.Invoke();
        _isPending = false;
        Ended?.Invoke();
    }
}

using Dns.Protocol;

namespace Dns.Zones;

/// <summary>What a server can say of a zone that it is configured for.</summary>
public enum ZoneState : byte
{
    /// <summary>Its data has not come yet: queries get SERVFAIL.</summary>
    Loading,

    /// <summary>It is answered from its current snapshot.</summary>
    Serving,

    /// <summary>Its data cannot be used and there is none from before: queries get SERVFAIL.</summary>
    Failed,
}

/// <summary>
/// The fixed place of one zone in a <see cref="ZoneSet"/>, in which its snapshots are published one after the other.
/// Writers are the providers, one at a time; any number of threads read without a lock. A provider may keep what it
/// has to know of the zone in a class of its own.
/// </summary>
public class ZoneSlot
{
    private volatile Zone? _zone;
    private volatile string? _failure;
    private int _counterSlot;

    /// <summary>A slot without data, in state <see cref="ZoneState.Loading"/>.</summary>
    public ZoneSlot(DomainName name)
    {
        Name = name;
        LabelCount = WireName.CountLabels(name.Octets);
    }

    /// <summary>The zone's name.</summary>
    public DomainName Name { get; }

    /// <summary>Number of labels in the name, the root label not counted.</summary>
    internal int LabelCount { get; }

    /// <summary>The clients that the zone is answered to; null = everybody. May be replaced while queries are answered.</summary>
    public ClientNetworks? AllowQuery
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>The current snapshot; null if there never was one.</summary>
    public Zone? Zone => _zone;

    /// <summary>Why the latest data could not be used; null if it could.</summary>
    public string? Failure => _failure;

    /// <summary>Whether there is data, none yet, or none that can be used.</summary>
    public ZoneState State =>
        _zone is not null ? ZoneState.Serving : _failure is null ? ZoneState.Loading : ZoneState.Failed;

    /// <summary>Where queries for the zone are counted; 0 until something counts them.</summary>
    public int CounterSlot => _counterSlot;

    /// <summary>Sets <see cref="CounterSlot"/>, unless another thread has changed it meanwhile.</summary>
    /// <param name="slot">The new slot.</param>
    /// <param name="before">The slot that it replaces.</param>
    public bool TrySetCounterSlot(int slot, int before) =>
        Interlocked.CompareExchange(ref _counterSlot, slot, before) == before;

    /// <summary>Whether a client may ask for what is in the zone.</summary>
    public bool Admits(ref ClientAddress client) => AllowQuery is not { } allowed || allowed.Contains(ref client);

    /// <summary>Lets queries from now on be answered from <paramref name="zone"/>.</summary>
    /// <exception cref="ArgumentException">The zone has another name than the slot.</exception>
    public void Publish(Zone zone)
    {
        if (!WireName.EqualsIgnoreCase(zone.Apex, Name.Octets))
            throw new ArgumentException($"{NameText.ToText(zone.Apex)} is not {Name}", nameof(zone));
        _zone = zone;
        _failure = null;
    }

    /// <summary>Records that the latest data cannot be used. A snapshot from before goes on being served.</summary>
    public void Fail(string reason) => _failure = reason;
}

namespace Dns.Telemetry.Metrics;

/// <summary>The zones of a server as metrics and the status page read them. Thread-safe.</summary>
public interface IZoneFigures
{
    /// <summary>The zones that are served or should be, in no order.</summary>
    IEnumerable<ZoneSlot> Zones { get; }

    /// <summary>Sources that claim a name which another one has.</summary>
    IReadOnlyList<ZoneConflict> Conflicts { get; }

    /// <summary>The time at which signatures are checked.</summary>
    DateTimeOffset Now { get; }

    /// <summary>The sums, no more than a second old.</summary>
    ZoneTotals Totals();

    /// <summary>The sums of this moment.</summary>
    ZoneTotals ReadTotals();
}

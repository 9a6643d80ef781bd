namespace Dns.Zones.Editing;

/// <summary>
/// Scratch memory of an edit. One instance is kept for the next edit of any zone: allocated for each, it would exceed
/// everything else that a change of one name allocates.
/// </summary>
internal sealed class EditScratch
{
    // A scratch grown by a large delta is not kept.
    private const int MostKept = 1 << 10;

    private static EditScratch? _spare;

    private (ulong Hash, int Number)[] _order = new (ulong, int)[16];

    private EditScratch()
    {
    }

    /// <summary>The name being looked up. A field, to avoid copies of 1.4 KB.</summary>
    internal LookupName Name;

    internal OwnerRecords Records { get; } = new();

    internal List<uint> Written { get; } = [];

    /// <summary>Changes of the dead octets of segments, with the previous count, oldest first.</summary>
    internal List<(int Segment, int Dead)> Counted { get; } = [];

    internal List<ZoneBuildDiagnostic> Diagnostics { get; } = [];

    /// <summary>Takes the kept instance, or a new one if that is in use.</summary>
    internal static EditScratch Rent() => Interlocked.Exchange(ref _spare, null) ?? new EditScratch();

    /// <summary>Returns the instance, which must not be used afterwards.</summary>
    internal void Return()
    {
        int most = Math.Max(Math.Max(_order.Length, Written.Capacity), Counted.Capacity);
        if (most > MostKept || !Records.IsSmall(MostKept)) return;
        Written.Clear();
        Counted.Clear();
        Diagnostics.Clear();
        Volatile.Write(ref _spare, this);
    }

    /// <summary>An array for the order of <paramref name="count"/> records; not cleared.</summary>
    internal (ulong Hash, int Number)[] Order(int count)
    {
        if (_order.Length < count) _order = new (ulong, int)[count];
        return _order;
    }
}

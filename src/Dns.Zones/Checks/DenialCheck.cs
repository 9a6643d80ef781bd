namespace Dns.Zones.Checks;

/// <summary>
/// Gaps in a signed version of a zone, for which validators reject some of its answers: in the chain of NSEC or NSEC3
/// records, of names in it, of signatures. Found by one walk; signatures are not verified.
/// </summary>
public sealed class DenialCheck
{
    private DenialCheck(Zone zone, ZoneDenial denial)
    {
        FindGaps(zone, denial);
        FindNames(zone, denial);
    }

    /// <summary>A kind of gap: count, first name, and message.</summary>
    /// <param name="Type">Its type; 0 for the whole name.</param>
    internal readonly record struct ChainGap(int Count, byte[] Owner, RRType Type, string Message)
    {
        /// <summary>The message, with the number of further gaps.</summary>
        internal string Text => Count > 1 ? $"{Message} (and {Count - 1} more)" : Message;
    }

    /// <summary>Records that do not name the next one.</summary>
    internal ChainGap Gaps { get; private set; }

    /// <summary>Names without a record in the chain.</summary>
    internal ChainGap Missing { get; private set; }

    /// <summary>RRsets without a signature.</summary>
    internal ChainGap Unsigned { get; private set; }

    internal IEnumerable<ChainGap> Lacks =>
        ((IReadOnlyList<ChainGap>)[Gaps, Missing, Unsigned]).Where(static lack => lack.Count > 0);

    /// <summary>The gaps as text; null if none.</summary>
    public string? Fault =>
        string.Join("; ", Lacks.Select(static lack => lack.Text)) is { Length: > 0 } text ? text : null;

    /// <summary>Examines a version; null if it has no chain.</summary>
    internal static DenialCheck? Of(Zone zone) => zone.Denial is { } denial ? new DenialCheck(zone, denial) : null;

    private static string TypeOf(ZoneDenial denial) => denial.Parameters is null ? "NSEC" : "NSEC3";

    private void FindGaps(Zone zone, ZoneDenial denial)
    {
        uint[] chain = denial.ToArray();
        Span<byte> next = stackalloc byte[WireName.MaxOctets];
        for (int i = 0; i < chain.Length; i++)
        {
            ZoneNode node = NodeAt(zone, chain[i]), following = NodeAt(zone, chain[(i + 1) % chain.Length]);
            ReadOnlySpan<byte> found = next[..denial.CopyNext(node, next)];
            if (found.SequenceEqual(following.Name)) continue;
            RRType type = denial.Parameters is null ? RRType.NSEC : RRType.NSEC3;
            Gaps = Gaps.Count > 0 ? Gaps with { Count = Gaps.Count + 1 } : new ChainGap(1, node.Name.ToArray(), type,
                $"{TypeOf(denial)} at {NameText.ToText(node.Name)}: found {Text(found)} as the next name, "
                + $"expected {NameText.ToText(following.Name)}");
        }
    }

    private static string Text(ReadOnlySpan<byte> name) => name.IsEmpty ? "nothing" : NameText.ToText(name);

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void FindNames(Zone zone, ZoneDenial denial)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(zone.Apex);
        int apexLabels = name.LabelCount;
        bool isHashed = denial.Parameters is not null;
        ZoneCursor cursor = default;
        while (zone.TryNext(ref cursor, out ZoneNode node))
        {
            if (denial.Has(node)) FindUnsigned(node, isCut: false, RRType.NSEC3);
            if (node.IsOccluded && zone.SegmentUse is null) continue;
            // The marks of a version that was edited are only hints.
            bool isInDoubt = node.IsOccluded || zone.HasUnmarkedCuts;
            if (isInDoubt || isHashed) name.Set(node.Name);
            int apexSkip = name.LabelCount - apexLabels;
            if (isInDoubt && zone.Lookup(in name, apexSkip, RRType.DS) is not
                { Outcome: LookupOutcome.Found, SkippedLabels: 0 }) continue;
            FindUnsigned(node, node.IsCut, default);
            if (denial.IsMissing(zone, in name, node, apexSkip))
                Missing = Missing.Count > 0
                    ? Missing with { Count = Missing.Count + 1 }
                    : new ChainGap(1, node.Name.ToArray(), 0,
                        $"found no {TypeOf(denial)} record for {NameText.ToText(node.Name)}, expected one");
        }
    }

    /// <summary>Checks for signatures: at a cut those of DS and NSEC.</summary>
    private void FindUnsigned(ZoneNode node, bool isCut, RRType only)
    {
        foreach (RRset rrset in node)
        {
            RRType type = rrset.Type;
            if (type == RRType.RRSIG || (only != 0 ? type != only : type == RRType.NSEC3)) continue;
            if ((isCut && type is not (RRType.DS or RRType.NSEC)) || node.TryFindSignatures(type, out _)) continue;
            Unsigned = Unsigned.Count > 0
                ? Unsigned with { Count = Unsigned.Count + 1 } : new ChainGap(1, node.Name.ToArray(), type,
                $"found no RRSIG over {RRTypeText.Format(type)} at {NameText.ToText(node.Name)}, expected one");
        }
    }

    private static ZoneNode NodeAt(Zone zone, uint reference) => new(ZoneMemory.Node(zone.Segments, reference));
}

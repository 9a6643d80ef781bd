namespace Dns.Answering.Planning;

/// <summary>A name that a zone answers, and where its lookup ended.</summary>
internal readonly ref struct FoundName
{
    internal readonly Zone Zone;

    /// <summary>The name, in lower case.</summary>
    internal readonly ref readonly LookupName Name;

    /// <summary>The node that answers: of the name, of a wildcard for it, or of a cut; default if none.</summary>
    internal readonly ZoneNode Node;

    /// <summary>Where in the message the name is.</summary>
    internal readonly int Offset;

    /// <summary>Labels in front of the zone's name.</summary>
    internal readonly int ApexSkip;

    /// <summary>Labels in front of the node, or of the closest encloser of a name that does not exist.</summary>
    internal readonly int Skip;

    /// <summary>Whether no wildcard stands for the name.</summary>
    internal readonly bool IsExact;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal FoundName(
        Zone zone, ref readonly LookupName name, int offset, int apexSkip, LookupResult found)
    {
        Zone = zone;
        Name = ref name;
        Node = found.Node;
        Offset = offset;
        ApexSkip = apexSkip;
        Skip = found.SkippedLabels;
        IsExact = found.Outcome != LookupOutcome.Wildcard;
    }

    /// <summary>Whether it is the question's own name, not the target of an alias.</summary>
    internal bool IsQuestion => Offset == MessageHeader.LengthOctets;
}

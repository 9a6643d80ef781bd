namespace Dns.Dnssec.Validation;

/// <summary>Verifies the names of a zone one by one. For one thread.</summary>
internal sealed class NodeVerifier
{
    private readonly Zone _zone;
    private readonly SignatureVerifier _signatures;
    private readonly HashedChains _hashed;
    private readonly DenialTypes _types = new();
    private readonly DiagnosticList _diagnostics;
    private readonly bool _hasNsec;

    internal NodeVerifier(Zone zone, ApexKeys keys, DateTimeOffset now, HashedChains hashed, bool hasNsec,
        DiagnosticList diagnostics)
    {
        (_zone, _hashed, _hasNsec, _diagnostics) = (zone, hashed, hasNsec, diagnostics);
        _signatures = new SignatureVerifier(zone, keys, now, diagnostics);
    }

    /// <summary>Number of valid signatures.</summary>
    internal long Signatures => _signatures.Good;

    /// <summary>When the first of them expires.</summary>
    internal DateTimeOffset? FirstExpiration => _signatures.FirstExpiration;

    internal void Run(NodeQueue queue, CancellationToken cancellation)
    {
        while (queue.TryTake(out ZoneCursor cursor, out int count))
        {
            cancellation.ThrowIfCancellationRequested();
            for (; count > 0 && _zone.TryNext(ref cursor, out ZoneNode node); count--) Verify(node);
        }
    }

    private void Verify(ZoneNode node)
    {
        NodePosition position = NodePositions.Of(_zone, node);
        foreach (RRset rrset in node)
        {
            if (rrset.Type is RRType.CDS or RRType.CDNSKEY && !node.Name.SequenceEqual(_zone.Apex))
                _diagnostics.Warn(node.Name, rrset.Type, rrset.First,
                    $"found {RRTypeText.Format(rrset.Type)} at {Text(node)}, where no parent looks, "
                    + "expected it at the apex alone");
            if (rrset.Type == RRType.RRSIG) CheckCovered(node, rrset, position);
            else if (IsSigned(rrset.Type, position)) _signatures.Verify(node, rrset);
            else if (rrset.Type is RRType.NSEC)
                _diagnostics.Error(node.Name, RRType.NSEC,
                    $"found NSEC at {Text(node)}, which is not the zone's own data, expected none");
        }
        if (position is NodePosition.Hidden or NodePosition.Hashed) return;
        if (_hasNsec) CheckNsec(node, position);
        if (_hashed.Count > 0) _hashed.CheckName(node, position, _types, _diagnostics);
    }

    // The name of an NSEC3 record may be a name of the zone as well.
    private static bool IsSigned(RRType type, NodePosition position) => position switch
    {
        _ when type == RRType.NSEC3 => true,
        NodePosition.Hidden => false,
        NodePosition.Cut => type is RRType.DS or RRType.NSEC,
        _ => true,
    };

    private void CheckCovered(ZoneNode node, RRset signatures, NodePosition position)
    {
        if (!RrsigFields.TryRead(signatures.First, out RrsigFields fields)) return;
        string type = RRTypeText.Format(fields.TypeCovered);
        if (!IsSigned(fields.TypeCovered, position))
            _diagnostics.Error(node.Name, RRType.RRSIG, signatures.First, $"found RRSIG over {type} at {Text(node)}, "
                + "which is not the zone's own data, expected none");
        else if (!node.TryFind(fields.TypeCovered, out _))
            _diagnostics.Error(node.Name, RRType.RRSIG, signatures.First,
                $"found RRSIG over {type} at {Text(node)}, where no {type} is");
    }

    private void CheckNsec(ZoneNode node, NodePosition position)
    {
        bool isThere = node.TryFind(RRType.NSEC, out RRset nsec);
        if (!node.HasData) return;
        if (!isThere)
        {
            _diagnostics.Error(node.Name, 0, $"found no NSEC at {Text(node)}, expected one");
            return;
        }
        if (nsec.Count > 1)
            _diagnostics.Error(node.Name, RRType.NSEC, $"found {nsec.Count} NSEC at {Text(node)}, expected one");
        if (!NsecFields.TryRead(nsec.First, out NsecFields fields)) return;
        ReadOnlySpan<byte> expected = _types.At(node, position, isHashed: false);
        if (!fields.Types.SequenceEqual(expected))
            _diagnostics.Error(node.Name, RRType.NSEC, nsec.First,
                $"NSEC at {Text(node)}: found the types {TypeBits.ToText(fields.Types)}, expected " +
                    $"{TypeBits.ToText(expected)}");
    }

    private static string Text(ZoneNode node) => NameText.ToText(node.Name);
}

namespace Dns.Dnssec.Validation;

/// <summary>The NSEC3 chains of a zone, one for each NSEC3PARAM record at its apex (RFC 5155 §7.1).</summary>
internal sealed class HashedChains
{
    private const int CancellationMask = 0xFFFF;

    private readonly Zone _zone;
    private readonly List<HashedChain> _chains = [];

    private HashedChains(Zone zone) => _zone = zone;

    internal int Count => _chains.Count;

    /// <summary>Collects the chains and checks that they are closed.</summary>
    internal static HashedChains Of(Zone zone, DiagnosticList diagnostics, CancellationToken cancellation)
    {
        HashedChains chains = new(zone);
        if (!zone.ApexNode.TryFind(RRType.NSEC3PARAM, out RRset parameters)) return chains;
        foreach (ReadOnlySpan<byte> rdata in parameters) chains.Add(rdata);
        int count = 0;
        foreach (ZoneNode node in zone.Order)
        {
            if ((++count & CancellationMask) == 0) cancellation.ThrowIfCancellationRequested();
            if (node.TryFind(RRType.NSEC3, out RRset records)) chains.Collect(node, records, diagnostics);
        }
        foreach (HashedChain chain in chains._chains) chain.Close(diagnostics);
        return chains;
    }

    /// <summary>Checks the record of a name in each chain.</summary>
    internal void CheckName(ZoneNode node, NodePosition position, DenialTypes types, DiagnosticList diagnostics)
    {
        foreach (HashedChain chain in _chains) chain.CheckName(node, position, types, diagnostics);
    }

    /// <summary>Reports records that match no name, after all names were checked.</summary>
    internal void CheckUnused(DiagnosticList diagnostics)
    {
        foreach (HashedChain chain in _chains) chain.CheckUnused(diagnostics);
    }

    // NSEC3PARAM: hash algorithm, flags, iterations, salt; a flag marks an incomplete chain (RFC 5155 §4.1.2). The
    // loader refuses other algorithms and too many iterations.
    private void Add(ReadOnlySpan<byte> rdata)
    {
        if (rdata.Length < 5 || rdata.Length != 5 + rdata[4] || rdata[0] != Nsec3Hash.Algorithm || rdata[1] != 0)
            return;
        int iterations = rdata[2] << 8 | rdata[3];
        if (iterations <= Nsec3Hash.MaxIterations)
            _chains.Add(new HashedChain(_zone, iterations, rdata[5..].ToArray()));
    }

    private void Collect(ZoneNode node, RRset records, DiagnosticList diagnostics)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        string owner = NameText.ToText(node.Name);
        if (!NodePositions.IsHashedOwner(_zone, node) || !HashedOwner.TryRead(node.Name, hash))
        {
            diagnostics.Error(node.Name, RRType.NSEC3,
                $"found NSEC3 at {owner}, expected a hash in front of the zone's name");
            return;
        }
        foreach (ReadOnlySpan<byte> rdata in records)
        {
            if (!Nsec3Fields.TryRead(rdata, out Nsec3Fields fields))
            {
                diagnostics.Error(node.Name, RRType.NSEC3, rdata,
                    $"NSEC3 at {owner}: expected hash algorithm 1 and a next hash of 20 octets");
                continue;
            }
            foreach (HashedChain chain in _chains)
                if (chain.IsOf(fields.Parameters)) chain.Add(hash, in fields, diagnostics);
        }
    }
}

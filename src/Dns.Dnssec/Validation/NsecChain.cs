namespace Dns.Dnssec.Validation;

/// <summary>The NSEC chain of a zone: each names the owner of the next, the last the apex (RFC 4034 §4.1.1).</summary>
internal static class NsecChain
{
    private const int CancellationMask = 0xFFFF;

    /// <summary>Checks the chain. The verification of names finds those without a record.</summary>
    /// <returns>False if none exists: the apex has NSEC3PARAM without NSEC, or no name has NSEC.</returns>
    internal static bool Check(Zone zone, DiagnosticList diagnostics, CancellationToken cancellation)
    {
        bool hasHashed = zone.ApexNode.TryFind(RRType.NSEC3PARAM, out _);
        if (!zone.ApexNode.TryFind(RRType.NSEC, out _) && hasHashed) return false;
        byte[] owner = [], next = [];
        int count = 0;
        foreach (ZoneNode node in zone.Order)
        {
            if ((++count & CancellationMask) == 0) cancellation.ThrowIfCancellationRequested();
            if (!node.TryFind(RRType.NSEC, out RRset nsec) || NodePositions.Of(zone, node) == NodePosition.Hidden)
                continue;
            if (owner.Length > 0) Expect(node.Name, owner, next, diagnostics);
            owner = node.Name.ToArray();
            next = NsecFields.TryRead(nsec.First, out NsecFields fields) ? fields.Next.ToArray() : [0];
        }
        if (owner.Length == 0) return false;
        Expect(zone.Apex, owner, next, diagnostics);
        return true;
    }

    private static void Expect(ReadOnlySpan<byte> expected, byte[] owner, byte[] next, DiagnosticList diagnostics)
    {
        if (WireName.EqualsIgnoreCase(expected, next)) return;
        diagnostics.Error(owner, RRType.NSEC,
            $"NSEC at {NameText.ToText(owner)}: found {NameText.ToText(next)} as the next name, expected " +
                $"{NameText.ToText(expected)}");
    }
}

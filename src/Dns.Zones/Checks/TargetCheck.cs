namespace Dns.Zones.Checks;

/// <summary>
/// Checks that the targets of NS, MX and SRV have addresses (RFC 2181 §10.3, RFC 1035 §3.3.9, RFC 2782), and that those
/// of CNAME and PTR exist if they seem to lack their final dot, as most targets without an address do.
/// </summary>
internal readonly ref struct TargetCheck(Zone zone, NodeDiagnostics diagnostics, bool isComplete)
{
    /// <summary>Checks every record of an RRset of one of these types.</summary>
    public void Check(ZoneNode node, RRset rrset)
    {
        int index = 0;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            // Nearly every record has a host with an address, already resolved by the zone.
            if (zone.TryFindHost(rrset, index++, rdata, out ZoneNode host) && Look(host) == Target.Address) continue;
            ReadOnlySpan<byte> target = Rdata.TargetName(rrset.Type, rdata);
            if (Evaluate(rrset.Type, target) is { } message) Warn(node, rrset.Type, rdata, target, message);
        }
    }

    /// <summary>Checks every record of a CNAME or PTR RRset.</summary>
    public void CheckName(ZoneNode node, RRset rrset)
    {
        if (!isComplete || zone.Apex.Length == 1) return;
        foreach (ReadOnlySpan<byte> target in rrset)
            if (HasTwoLabels(target) && WireName.IsAtOrBelow(target, zone.Apex) && EvaluateName(target) is { } message)
                Warn(node, rrset.Type, target, target, message);
    }

    private void Warn(
        ZoneNode node, RRType type, ReadOnlySpan<byte> rdata, ReadOnlySpan<byte> target, string message) =>
        diagnostics.Warn(NodeDiagnosticKind.Record, node.Name, type, rdata,
            $"{RRTypeText.Format(type)} at {NameText.ToText(node.Name)}: found {NameText.ToText(target)}, {message}");

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private string? EvaluateName(ReadOnlySpan<byte> target)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(target);
        Target found = Find(in name, out bool isDelegated, out int skip);
        if (found != Target.Nothing || isDelegated || skip == 0) return null;
        return FindWithoutDot(target, name.LabelCount - skip) is { } meant
            ? $"a name of this zone that does not exist: missing name, or the final dot of {meant}" : null;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private string? Evaluate(RRType type, ReadOnlySpan<byte> target)
    {
        if (AddressLiteral.IsOne(target, zone.Apex)) return "an address, expected the name of a host";
        if (!WireName.IsAtOrBelow(target, zone.Apex)) return null;
        Unsafe.SkipInit(out LookupName name);
        name.Set(target);
        Target found = Find(in name, out bool isDelegated, out int skip);
        if (found == Target.Alias) return "which is a CNAME, expected the name of a host";
        if (found == Target.Redirected) return "which is below a DNAME, expected the name of a host";
        // The root is no host (RFC 7505 §3, RFC 2782).
        if (found == Target.Address || !isComplete || target.Length == 1) return null;
        if (isDelegated)
            return type == RRType.NS ? "which is in or below a delegation, without A or AAAA: missing glue" : null;
        string message = "a name of this zone, without A or AAAA: missing address";
        return FindWithoutDot(target, name.LabelCount - skip) is { } meant
            ? $"{message}, or the final dot of {meant}" : message;
    }

    private bool HasTwoLabels(ReadOnlySpan<byte> target) => target.Length - target[0] - 1 > zone.Apex.Length;

    /// <summary>
    /// The name that was meant if a target has the zone's name twice at its end, or several labels before it none of
    /// which is in the zone; else null.
    /// </summary>
    /// <param name="knownLabels">The labels of its longest suffix in the zone.</param>
    private string? FindWithoutDot(ReadOnlySpan<byte> target, int knownLabels)
    {
        Span<byte> meant = stackalloc byte[WireName.MaxOctets];
        int octets = target.Length - zone.Apex.Length;
        target[..octets].CopyTo(meant);
        meant[octets++] = 0;
        if (octets == 1 || zone.Apex.Length == 1) return null;
        bool isApart = HasTwoLabels(target) && knownLabels == WireName.CountLabels(zone.Apex);
        return isApart || WireName.IsAtOrBelow(meant[..octets], zone.Apex) ? NameText.ToText(meant[..octets]) : null;
    }

    private enum Target : byte
    {
        Nothing, Address, Alias, Redirected,
    }

    /// <summary>The zone's data for a name in it, wildcards included (RFC 4592 §4.2, §4.3).</summary>
    /// <param name="skip">The labels that precede its longest suffix in the zone; 0 also below a wildcard.</param>
    private Target Find(ref readonly LookupName name, out bool isDelegated, out int skip)
    {
        skip = 0;
        if (zone.TryFind(in name, 0, out ZoneNode node))
        {
            isDelegated = node.IsCut || node.IsOccluded;
            return Look(node);
        }
        skip = 1;
        while (!zone.TryFind(in name, skip, out node)) skip++;
        isDelegated = node.IsCut || node.IsOccluded;
        if (!isDelegated && node.TryFind(RRType.DNAME, out _)) return Target.Redirected;
        bool isWild = !isDelegated && node.HasWildcardChild && zone.TryFindWildcard(in name, skip, out node);
        if (!isWild) return Target.Nothing;
        skip = 0;
        return Look(node);
    }

    private static Target Look(ZoneNode node)
    {
        if (node.IsAlias) return Target.Alias;
        bool hasAddress = node.TryFind(RRType.A, out _) || node.TryFind(RRType.AAAA, out _);
        return hasAddress ? Target.Address : Target.Nothing;
    }
}

namespace Dns.Zones.Checks;

/// <summary>Errors and warnings of a whole zone; those of single records are found while reading.</summary>
internal ref struct ZoneChecks
{
    private readonly Zone _zone;
    private readonly NodeDiagnostics _diagnostics;
    private readonly bool _isComplete;
    private readonly Severity _belowDname;
    private bool _hasDname;

    private ZoneChecks(Zone zone, NodeDiagnostics diagnostics, bool isComplete, Severity belowDname)
    {
        _belowDname = belowDname;
        _zone = zone;
        _diagnostics = diagnostics;
        _isComplete = isComplete;
    }

    /// <param name="isComplete">Whether every record was read; if not, nothing is reported as missing.</param>
    /// <param name="belowDname">The severity of data below a DNAME.</param>
    public static NodeDiagnostics Find(Zone zone, IReadOnlyList<ZoneBuildDiagnostic> notes, ZoneLimits limits,
        bool isComplete, Severity belowDname = Severity.Error)
    {
        var diagnostics = new NodeDiagnostics();
        var checks = new ZoneChecks(zone, diagnostics, isComplete, belowDname);
        foreach (ZoneBuildDiagnostic note in notes) AddNote(note, limits, diagnostics);
        checks.CheckSigned();
        foreach (ZoneNode node in zone) checks.CheckNode(node);
        if (checks._hasDname) checks.CheckBelowDnames();
        return diagnostics;
    }

    private static void AddNote(ZoneBuildDiagnostic note, ZoneLimits limits, NodeDiagnostics diagnostics)
    {
        ReadOnlySpan<byte> owner = note.Owner.Octets;
        string what = $"{RRTypeText.Format(note.Type)} at {note.Owner}";
        switch (note.Kind)
        {
            case ZoneBuildDiagnosticKind.DuplicateRecord:
                diagnostics.Warn(
                    NodeDiagnosticKind.LaterCopy, owner, note.Type, note.Rdata,
                    $"found {what} again: the copy is left out");
                break;
            case ZoneBuildDiagnosticKind.MixedTtl when note.Type != RRType.RRSIG:
                diagnostics.Warn(
                    NodeDiagnosticKind.OtherTtl, owner, note.Type, default,
                    $"found different TTLs for {what}, expected one: the lowest is used");
                break;
            case ZoneBuildDiagnosticKind.TooMuchData:
                diagnostics.Error(
                    NodeDiagnosticKind.FirstOfName, owner, 0,
                    $"found {what} with more octets than a name can hold");
                break;
            case ZoneBuildDiagnosticKind.TooManyRecords:
                diagnostics.Error(
                    NodeDiagnosticKind.FirstOfType, owner, note.Type,
                    $"found {what} more than {limits.RecordsPerType} times, expected at most so many records of a " +
                        $"type");
                break;
            case ZoneBuildDiagnosticKind.TooManyTypes:
                diagnostics.Error(
                    NodeDiagnosticKind.FirstOfType, owner, note.Type,
                    note.Type == RRType.RRSIG
                        ? $"found {what} for more than {limits.TypesPerName} types, expected at most so many at a name"
                        : $"found {what} beside {limits.TypesPerName} other types, expected at most " +
                            $"{limits.TypesPerName} types at a name");
                break;
        }
    }

    // Answers carry the zone's own signatures and denial records, so both must be complete.
    private void CheckSigned()
    {
        if (!_zone.TryFindSigning(out RRType type)) return;
        CheckHashing();
        if (_zone.Denial is not null)
        {
            if (!_isComplete || _zone.DenialCheck is not { } denialCheck) return;
            foreach (DenialCheck.ChainGap lack in denialCheck.Lacks)
            {
                NodeDiagnosticKind kind =
                    lack.Type == 0 ? NodeDiagnosticKind.FirstOfName : NodeDiagnosticKind.ChainGap;
                _diagnostics.Warn(kind, lack.Owner, lack.Type, default,
                    $"{lack.Text}: validating resolvers reject some answers");
            }
            return;
        }
        _diagnostics.Warn(
            NodeDiagnosticKind.FirstOfType, _zone.Apex, type, default,
            $"found a signed zone ({RRTypeText.Format(type)} at {NameText.ToText(_zone.Apex)}): negative answers and "
                + "referrals are sent without NSEC or NSEC3 records, validating resolvers reject them");
    }

    /// <summary>Every query for a name that does not exist costs the iterations of each hash (RFC 9276 §3.2).</summary>
    private void CheckHashing()
    {
        if (!_zone.ApexNode.TryFind(RRType.NSEC3PARAM, out RRset rrset)) return;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            if (Nsec3Parameters.Read(rdata) is not { Flags: 0 } parameters) continue;
            string? message = parameters.Fault(_zone.Apex);
            if (message is not null) _diagnostics.ErrorAt(_zone.Apex, RRType.NSEC3PARAM, rdata, message);
        }
    }

    private void CheckNode(ZoneNode node)
    {
        _hasDname |= node.HasDname;
        bool hasOther = false, hasNs = false;
        foreach (RRset rrset in node)
        {
            hasOther |= !NodeDiagnostic.IsAllowedBesideCname(rrset.Type);
            if (rrset.Type is RRType.CNAME or RRType.DNAME && rrset.Count > 1) AddSeveral(node, rrset.Type);
            if (rrset.Type is RRType.CNAME or RRType.PTR)
                new TargetCheck(_zone, _diagnostics, _isComplete).CheckName(node, rrset);
            if (rrset.Type is RRType.NS or RRType.DNAME && node.Name is [1, (byte)'*', ..]) WarnOfWildcard(node, rrset);
            if (rrset.Type is not (RRType.NS or RRType.MX or RRType.SRV)) continue;
            hasNs |= rrset.Type == RRType.NS;
            new TargetCheck(_zone, _diagnostics, _isComplete).Check(node, rrset);
        }
        bool isApex = node.Name.Length == _zone.Apex.Length;
        if (node.IsAlias && hasOther)
            AddError(NodeDiagnosticKind.CnameBesideOther, node,
                "found other data beside the CNAME at {0}, expected only the CNAME");
        if (node.HasDname && hasNs && !isApex)
            AddError(NodeDiagnosticKind.NsBesideDname, node,
                "found an NS beside the DNAME at {0}, expected one of them");
    }

    private void WarnOfWildcard(ZoneNode node, RRset rrset)
    {
        if (node.Name.Length == _zone.Apex.Length) return;
        string rule = rrset.Type == RRType.NS
            ? "it delegates no names (RFC 4592 §4.2)" : "servers differ in what it redirects (RFC 4592 §4.4)";
        string what = $"{RRTypeText.Format(rrset.Type)} at the wildcard {NameText.ToText(node.Name)}";
        _diagnostics.Warn(NodeDiagnosticKind.FirstOfType, node.Name, rrset.Type, default,
            $"found {what}, expected none: {rule}");
    }

    private void AddSeveral(ZoneNode node, RRType type) =>
        _diagnostics.Error(
            NodeDiagnosticKind.SecondOfType, node.Name, type,
            $"found a second {RRTypeText.Format(type)} at {NameText.ToText(node.Name)}, expected one");

    private void AddError(NodeDiagnosticKind kind, ZoneNode node, string message) =>
        _diagnostics.Error(kind, node.Name, 0, string.Format(message, NameText.ToText(node.Name)));

    /// <summary>RFC 6672 §2.4: no data below a DNAME.</summary>
    private void CheckBelowDnames()
    {
        Unsafe.SkipInit(out LookupName name);
        int apexLabels = WireName.CountLabels(_zone.Apex);
        foreach (ZoneNode node in _zone)
        {
            if (!node.IsOccluded || !node.HasData) continue;
            name.Set(node.Name);
            for (int skip = 1; skip <= name.LabelCount - apexLabels; skip++)
            {
                if (!_zone.TryFind(in name, skip, out ZoneNode above) || !above.HasDname) continue;
                if (node.HasOnlyNsec3 && skip == name.LabelCount - apexLabels) continue;
                string owner = NameText.ToText(node.Name), dname = NameText.ToText(above.Name);
                string message = $"found {owner} below the DNAME at {dname}, expected nothing there";
                if (_belowDname == Severity.Error)
                    _diagnostics.Error(NodeDiagnosticKind.FirstOfName, node.Name, 0, message);
                else _diagnostics.Warn(NodeDiagnosticKind.FirstOfName, node.Name, 0, default, message);
                break;
            }
        }
    }
}

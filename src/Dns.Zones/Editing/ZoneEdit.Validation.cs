namespace Dns.Zones.Editing;

/// <content>Checks of the names above and below the written nodes.</content>
internal sealed partial class ZoneEdit
{
    private const NodeFlags Obscuring = NodeFlags.Cut | NodeFlags.Dname;

    private bool TryValidate()
    {
        foreach (ZoneBuildDiagnostic note in _scratch.Diagnostics)
            if (IsTooLarge(note)) return false;
        foreach (uint reference in _memory.Written)
        {
            Span<byte> octets = Octets(reference);
            if (!ZoneMemory.IsDead(octets) && !TryValidate(reference, octets)) return false;
        }
        return new ZoneNode(Octets(_apex)).TryFind(RRType.SOA, out RRset soa) && soa.Count == 1
            || Fail(ZoneEditErrorKind.Forbidden, _apexName, RRType.SOA,
                $"found no SOA or several at {NameText.ToText(_apexName)}, expected one");
    }

    private bool TryValidate(uint reference, Span<byte> octets)
    {
        ZoneNode node = new(octets);
        Name.Set(node.Name);
        bool isOccluded = reference != _apex && node.IsNsec3Owner;
        for (int skip = 1; skip <= Name.LabelCount - _apexLabels; skip++)
        {
            uint above = _names.Find(_memory.Segments, Name.SuffixHash(skip), Name.Suffix(skip));
            NodeFlags flags = new ZoneNode(Octets(above)).Flags & Obscuring;
            isOccluded |= flags != 0;
            if ((flags & NodeFlags.Dname) != 0 && node.HasData && !(above == _apex && node.HasOnlyNsec3))
                return FailBelowDname(node.Name, Name.Suffix(skip));
        }
        Set(octets, NodeFlags.Occluded, isOccluded);
        return TryMark(reference, octets) && TryValidateData(node, isApex: reference == _apex);
    }

    /// <summary>
    /// Marks a node that has become a cut or a DNAME above existing names, whose nodes are not visited. Lookups in a
    /// version with such nodes check the ancestors of every name.
    /// </summary>
    private bool TryMark(uint reference, Span<byte> octets)
    {
        bool hasNamesBelow = reference == _apex ? _names.Count > 1 : ZoneMemory.Children(octets) > 0;
        NodeFlags now = (NodeFlags)octets[1], before = NodeFlags.None;
        bool hadNamesBelow = false;
        uint old = _before.Names.Find(_before.Segments, Name.Hash, Name.Octets);
        if (old != 0)
        {
            ZoneNode node = new(ZoneMemory.Node(_before.Segments, old));
            before = node.Flags;
            hadNamesBelow = reference == _apex ? _before.NameCount > 1 : node.Children > 0;
        }
        bool isUnmarked = hasNamesBelow && hadNamesBelow && (now & Obscuring) != 0
            && ((before & NodeFlags.Unmarked) != 0 || (before & Obscuring) == 0);
        Set(octets, NodeFlags.Unmarked, isUnmarked);
        if (isUnmarked) _unmarked++;
        bool isNewDname = (now & NodeFlags.Dname) != 0 && (before & NodeFlags.Dname) == 0;
        if (!isNewDname || !hasNamesBelow) return true;
        // Some name below another node has data, and it is no name of an NSEC3 record, which is next to the apex.
        return reference == _apex ? TryValidateApexDname() : Fail(ZoneEditErrorKind.Forbidden, Name.Octets, 0,
            $"found names below the DNAME at {NameText.ToText(Name.Octets)}, expected nothing there");
    }

    /// <summary>
    /// RFC 6672 §2.4: a DNAME at the apex leaves room for NSEC3 records only. Versions derived from this one count the
    /// other names, so that one search is enough for any number of changes.
    /// </summary>
    private bool TryValidateApexDname()
    {
        for (int i = 0; _dataNames != 0 && i < _names.SlotCount; i++)
        {
            uint reference = _names.ReferenceIn(i);
            if (reference == 0) continue;
            VisitedNames++;
            if (IsDataBelowApex(reference)) return FailBelowDname(new ZoneNode(Octets(reference)).Name, _apexName);
        }
        _dataNames = 0;
        return true;
    }

    private bool TryValidateData(ZoneNode node, bool isApex)
    {
        bool hasOther = false, hasNs = false;
        RRType several = 0;
        foreach (RRset rrset in node)
        {
            hasOther |= !NodeDiagnostic.IsAllowedBesideCname(rrset.Type);
            hasNs |= rrset.Type == RRType.NS;
            if (rrset.Type is RRType.CNAME or RRType.DNAME && rrset.Count > 1) several = rrset.Type;
        }
        if (several != 0) return FailAt(node, several, "found a second {1} at {0}, expected one");
        if (node.IsAlias && hasOther)
            return FailAt(node, RRType.CNAME, "found other data beside the CNAME at {0}, expected only the CNAME");
        if (isApex && !TryValidateHashing(node)) return false;
        return !node.HasDname || !hasNs || isApex
            || FailAt(node, RRType.DNAME, "found an NS beside the DNAME at {0}, expected one of them");
    }

    private bool TryValidateHashing(ZoneNode apex)
    {
        if (!apex.TryFind(RRType.NSEC3PARAM, out RRset rrset)) return true;
        foreach (ReadOnlySpan<byte> rdata in rrset)
            if (Nsec3Parameters.Read(rdata) is { Flags: 0 } parameters && parameters.Fault(_apexName) is { } message)
                return Fail(ZoneEditErrorKind.Forbidden, _apexName, RRType.NSEC3PARAM, message);
        return true;
    }

    private bool IsTooLarge(ZoneBuildDiagnostic note)
    {
        if (note.Kind is ZoneBuildDiagnosticKind.DuplicateRecord or ZoneBuildDiagnosticKind.MixedTtl) return false;
        Fail(ZoneEditErrorKind.TooLarge, note.Owner.Octets, note.Type,
            $"found too much for {RRTypeText.Format(note.Type)} at {note.Owner}, expected at most "
                + $"{_limits.RecordsPerType} records of a type, {_limits.TypesPerName} types and 60 MiB");
        return true;
    }

    private bool FailBelowDname(ReadOnlySpan<byte> owner, ReadOnlySpan<byte> dname) =>
        Fail(ZoneEditErrorKind.Forbidden, owner, 0,
            $"found {NameText.ToText(owner)} below the DNAME at {NameText.ToText(dname)}, expected nothing there");

    private bool FailAt(ZoneNode node, RRType type, string message) =>
        Fail(ZoneEditErrorKind.Forbidden, node.Name, type,
            string.Format(null, message, NameText.ToText(node.Name), RRTypeText.Format(type)));

    private static void Set(Span<byte> octets, NodeFlags flag, bool isSet) =>
        octets[1] = (byte)(isSet ? octets[1] | (byte)flag : octets[1] & ~(byte)flag);
}

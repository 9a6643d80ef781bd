namespace Dns.Dnssec.Offline;

/// <summary>Checks that a bundle can be served: its KSKs made the signatures, and the slots have no gap.</summary>
public static class KeySetCheck
{
    /// <summary>The error in a bundle; null if it is valid.</summary>
    public static string? FindFault(KeySets bundle, DomainName zone)
    {
        if (!bundle.Zone.Equals(zone)) return $"found a bundle of zone {bundle.Zone}, expected one of {zone}";
        if (bundle.Slots.Count == 0) return "found no slot, expected one";
        for (int i = 0; i < bundle.Slots.Count; i++)
        {
            KeySlot slot = bundle.Slots[i];
            string at = $"slot {slot.Start:u}: ";
            if (FindFault(slot, zone) is { } fault) return at + fault;
            if (i + 1 == bundle.Slots.Count) break;
            DateTimeOffset next = bundle.Slots[i + 1].Start;
            if (next <= slot.Start) return at + "the next slot begins no later, expected slots in order";
            if (slot.End <= next) return at + $"its signatures end at {slot.End:u}, before the next slot begins";
        }
        return null;
    }

    private static string? FindFault(KeySlot slot, DomainName zone)
    {
        if (!slot.Ksks.Any() || !slot.Zsks.Any()) return "expected a KSK and a ZSK";
        if (slot.Keys.Select(KeySlot.IdOf).Distinct().Count() < slot.Keys.Count)
            return "found two keys with one tag, expected one";
        if (slot.Keys.Any(key => !key.IsZoneKey || key.IsRevoked)) return "found a key that may not sign the zone";
        if (slot.Keys.Select(key => key.Algorithm).Distinct().Count() > 1)
            return "found keys of several algorithms, expected one";
        foreach (byte[] cds in slot.Cds)
            if (!slot.Ksks.Any(key => key.IsNamedBy(zone.Octets, cds)))
                return "found a CDS record of no KSK of the slot";
        if (slot.Cds.Count > 0 && slot.CdsKeys.Count != slot.Cds.Count || slot.Cdnskey.Count != slot.Cds.Count)
            return "found CDS and CDNSKEY records of different keys";
        foreach (var (type, records) in KeySetSigning.RRsetsOf(slot))
            foreach (Dnskey ksk in slot.Ksks)
                if (!IsSigned(slot, zone, type, records, ksk))
                    return $"found no good signature of key {ksk.Tag} over {RRTypeText.Format(type)}, expected one";
        return null;
    }

    private static bool IsSigned(KeySlot slot, DomainName zone, RRType type, IReadOnlyList<byte[]> records,
        Dnskey ksk)
    {
        CanonicalRRset canonical = new();
        canonical.Begin(zone.Octets, type, slot.Ttl);
        foreach (byte[] rdata in records) canonical.Add(rdata);
        canonical.End();
        foreach (byte[] signature in slot.Signatures)
        {
            if (!RrsigFields.TryRead(signature, out RrsigFields fields) || fields.TypeCovered != type ||
                fields.OriginalTtl != slot.Ttl
                || fields.KeyTag != ksk.Tag || fields.Algorithm != ksk.Algorithm
                || fields.Labels != CanonicalRRset.LabelsOf(zone.Octets) ||
                !WireName.EqualsIgnoreCase(fields.Signer, zone.Octets)
                || fields.IsEarly(RrsigFields.SecondsOf(slot.Start))) continue;
            if (ksk.Verify(canonical.SignedData(fields.Prefix), fields.Signature)) return true;
        }
        return false;
    }
}

namespace Dns.Dnssec.Offline;

/// <summary>Checks that a bundle can be served: its KSKs made the signatures, and the slots have no gap.</summary>
public static class KeySetCheck
{
    /// <summary>The error in a bundle; null if it is valid.</summary>
    public static KeySetFault? FindFault(KeySets bundle, DomainName zone)
    {
        if (!bundle.Zone.Equals(zone))
            return new KeySetFault(KeySetFaultKind.OtherZone) { Zones = (bundle.Zone, zone) };
        if (bundle.Slots.Count == 0) return new KeySetFault(KeySetFaultKind.NoSlot);
        for (int i = 0; i < bundle.Slots.Count; i++)
        {
            KeySlot slot = bundle.Slots[i];
            if (FindFault(slot, zone) is { } fault) return fault;
            if (i + 1 == bundle.Slots.Count) break;
            DateTimeOffset next = bundle.Slots[i + 1].Start;
            if (next <= slot.Start) return new KeySetFault(KeySetFaultKind.Unordered, slot.Start);
            if (slot.End <= next) return new KeySetFault(KeySetFaultKind.Gap, slot.Start) { End = slot.End };
        }
        return null;
    }

    private static KeySetFault? FindFault(KeySlot slot, DomainName zone)
    {
        if (FindKeyFault(slot, zone) is { } kind) return new KeySetFault(kind, slot.Start);
        foreach (var (type, records) in KeySetSigning.RRsetsOf(slot))
            foreach (Dnskey ksk in slot.Ksks)
                if (!IsSigned(slot, zone, type, records, ksk))
                    return new KeySetFault(KeySetFaultKind.NoSignature, slot.Start) { Key = ksk, Type = type };
        return null;
    }

    private static KeySetFaultKind? FindKeyFault(KeySlot slot, DomainName zone)
    {
        if (!slot.Ksks.Any() || !slot.Zsks.Any()) return KeySetFaultKind.NoKey;
        if (slot.Keys.Select(KeySlot.IdOf).Distinct().Count() < slot.Keys.Count) return KeySetFaultKind.SharedTag;
        if (slot.Keys.Any(key => !key.IsZoneKey || key.IsRevoked)) return KeySetFaultKind.NoZoneKey;
        if (slot.Keys.Select(key => key.Algorithm).Distinct().Count() > 1) return KeySetFaultKind.SeveralAlgorithms;
        if (slot.Cds.Any(cds => !slot.Ksks.Any(key => key.IsNamedBy(zone.Octets, cds))))
            return KeySetFaultKind.StrangeCds;
        return slot.Cds.Count > 0 && slot.CdsKeys.Count != slot.Cds.Count || slot.Cdnskey.Count != slot.Cds.Count
            ? KeySetFaultKind.UnequalCds : null;
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

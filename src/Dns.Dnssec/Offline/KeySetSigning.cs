namespace Dns.Dnssec.Offline;

/// <summary>Makes a bundle from a request, on the machine that has the KSK.</summary>
public static class KeySetSigning
{
    /// <summary>The first start of a slot: the 32 bits of other times mean a later one (RFC 4034 §3.1.5).</summary>
    internal static readonly DateTimeOffset FirstStart = DateTimeOffset.UnixEpoch + SigningPlan.InceptionOffset;

    /// <summary>The last start of a slot, for the same reason.</summary>
    internal static DateTimeOffset LastStartOf(KeySets request) =>
        DateTimeOffset.FromUnixTimeSeconds(uint.MaxValue) - request.Lifetime;

    /// <summary>Signs a request with KSKs: all of them are in every RRset, and sign it.</summary>
    /// <param name="ksks">The KSKs with their private keys; CDS names the newest once caches know it.</param>
    public static bool TrySign(
        KeySets request, IReadOnlyList<KeyFile> ksks, out KeySets bundle,
        [NotNullWhen(false)] out KeyRequestFault? fault)
    {
        bundle = request;
        fault = FindFault(request, ksks);
        if (fault is not null) return false;
        KeyFile[] keys =
            [.. ksks.OrderBy(key => key.Times.Created ?? DateTimeOffset.MinValue).ThenBy(key => key.Public.Tag)];
        List<KeySlot> slots = [];
        foreach (KeySlot slot in request.Slots)
        {
            KeyFile named = keys.LastOrDefault(key => IsKnown(request, key.Public, slot.Start)) ?? keys[^1];
            named.Public.TryMakeDs(request.Zone.Octets, DsDigest.Sha256, out byte[] cds);
            KeySlot next = slot with
            {
                Keys = [.. keys.Select(key => key.Public), .. slot.Zsks], Cds = [cds],
                Cdnskey = [named.Public.Rdata.ToArray()],
            };
            slots.Add(next with { Signatures = Sign(request, next, keys) });
        }
        bundle = new KeySets(request.Zone, IsBundle: true) { Slots = slots, Request = KeySetText.DigestOf(request) };
        return true;
    }

    private static KeyRequestFault? FindFault(KeySets request, IReadOnlyList<KeyFile> ksks)
    {
        if (request.Slots.Count == 0) return new(KeyRequestFaultKind.NoSlot, request);
        if (FindTimeFault(request) is { } fault) return fault;
        if (ksks.Count == 0) return new(KeyRequestFaultKind.NoKsk, request);
        foreach (KeySlot slot in request.Slots)
        {
            if (!slot.Zsks.Any() || slot.Ksks.Any()) return new(KeyRequestFaultKind.NotOnlyZsks, request, slot);
            foreach (Dnskey zsk in slot.Zsks)
            {
                if (ksks.Any(ksk => ksk.Public.Algorithm != zsk.Algorithm))
                    return new(KeyRequestFaultKind.OtherAlgorithm, request, zsk: zsk);
                // A server learns the tags of KSKs from bundles: it chose this one without them.
                if (ksks.Any(ksk => ksk.Public.Tag == zsk.Tag))
                    return new(KeyRequestFaultKind.SharedTag, request, zsk: zsk);
            }
        }
        // A DS record without its key would make the zone bogus.
        return request.Parent is { Count: > 0 } parent && !parent.Any(tag => ksks.Any(ksk => ksk.Public.Tag == tag))
            ? new(KeyRequestFaultKind.NoParentKey, request) : null;
    }

    /// <summary>What is signed is what the summary says: the first slot begins, and the last one ends.</summary>
    private static KeyRequestFault? FindTimeFault(KeySets request)
    {
        if (request.Lifetime <= SigningPlan.InceptionOffset || request.Lifetime > KeySetRequests.Most)
            return new(KeyRequestFaultKind.Lifetime, request);
        for (int i = 0; i < request.Slots.Count; i++)
        {
            KeySlot slot = request.Slots[i];
            DateTimeOffset start = slot.Start;
            if (start < FirstStart || start > LastStartOf(request))
                return new(KeyRequestFaultKind.OutOfTime, request, slot);
            if (i == 0) continue;
            DateTimeOffset before = request.Slots[i - 1].Start;
            if (start <= before) return new(KeyRequestFaultKind.Unordered, request, slot);
            if (start >= before + request.Lifetime) return new(KeyRequestFaultKind.Gap, request, slot);
        }
        DateTimeOffset latest = request.Slots[0].Start + KeySetRequests.Most;
        return request.Slots[^1].Start <= latest ? null
            : new(KeyRequestFaultKind.TooLate, request, request.Slots[^1]);
    }

    /// <summary>Whether caches know a key by then; one not published yet appears with the first slot.</summary>
    private static bool IsKnown(KeySets request, Dnskey key, DateTimeOffset at)
    {
        DateTimeOffset since = request.Slots[0].Start;
        foreach (var (known, from) in request.Known)
            if (known.Equals(key) && from < since) since = from;
        return since + request.Lead <= at;
    }

    private static List<byte[]> Sign(KeySets request, KeySlot slot, KeyFile[] keys)
    {
        byte[] apex = request.Zone.Octets.ToArray();
        WireName.ToLower(apex, apex);
        uint inception = RrsigFields.SecondsOf(slot.Start - SigningPlan.InceptionOffset);
        uint expiration = RrsigFields.SecondsOf(slot.Start + request.Lifetime);
        CanonicalRRset canonical = new();
        byte[] prefix = new byte[RrsigFields.MaxPrefixOctets];
        List<byte[]> signatures = [];
        foreach (var (type, records) in RRsetsOf(slot))
        {
            canonical.Begin(apex, type, slot.Ttl);
            foreach (byte[] rdata in records) canonical.Add(rdata);
            canonical.End();
            foreach (KeyFile key in keys)
            {
                int length = RrsigFields.WritePrefix(
                    prefix, type, key.Public, CanonicalRRset.LabelsOf(apex), slot.Ttl, inception, expiration, apex);
                byte[] signature = new byte[length + key.Key!.SignatureOctets];
                prefix.AsSpan(0, length).CopyTo(signature);
                if (!key.Key.TrySign(canonical.SignedData(prefix.AsSpan(0, length)), signature.AsSpan(length), out _))
                    throw new IOException($"key {key.Public} made no signature");
                signatures.Add(signature);
            }
        }
        return signatures;
    }

    /// <summary>The existing RRsets of a slot.</summary>
    internal static IEnumerable<(RRType Type, IReadOnlyList<byte[]> Records)> RRsetsOf(KeySlot slot)
    {
        yield return (RRType.DNSKEY, [.. slot.Keys.Select(key => key.Rdata.ToArray())]);
        if (slot.Cds.Count > 0) yield return (RRType.CDS, slot.Cds);
        if (slot.Cdnskey.Count > 0) yield return (RRType.CDNSKEY, slot.Cdnskey);
    }
}

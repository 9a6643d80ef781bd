namespace Dns.Dnssec.Signing;

/// <summary>Whether a signed version matches a plan, except at the apex, which can be signed alone.</summary>
internal static class PlanMatch
{
    private const int FlagsAt = 1;

    /// <summary>Whether chain, denial TTL and the zone's signing keys are those of a plan.</summary>
    internal static bool Fits(Zone signed, SigningPlan plan, uint denialTtl)
    {
        ZoneNode apex = signed.ApexNode;
        return HasChain(signed, plan.Denial, denialTtl)
            && apex.TryFindSignatures(RRType.SOA, out RRset signatures) && AreOf(signatures, plan.ZoneSigners);
    }

    private static bool HasChain(Zone signed, DenialPlan plan, uint ttl)
    {
        ZoneNode apex = signed.ApexNode;
        bool isNsec = apex.TryFind(RRType.NSEC, out RRset nsec),
            isHashed = apex.TryFind(RRType.NSEC3PARAM, out RRset parameters);
        if (plan.IsCompact) return !isNsec && !isHashed;
        if (!plan.IsHashed) return isNsec && !isHashed && nsec.Ttl == ttl;
        if (isNsec || !isHashed || parameters.Count != 1 ||
            !parameters.First.SequenceEqual(DenialRdata.Parameters(plan))) return false;
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        Span<byte> owner = stackalloc byte[WireName.MaxOctets + DenialRdata.LabelOctets + 1];
        Nsec3Hash.Compute(signed.Apex, plan.Salt, plan.Iterations, hash);
        int length = DenialRdata.WriteOwner(hash, signed.Apex, owner);
        return length <= WireName.MaxOctets && SourceNames.TryFind(signed, owner[..length], out ZoneNode node)
            && node.TryFind(RRType.NSEC3, out RRset record) && record.Ttl == ttl && record.First[FlagsAt] == plan.Flags;
    }

    private static bool AreOf(RRset signatures, IReadOnlyList<SigningKey> keys)
    {
        if (signatures.Count != keys.Count) return false;
        foreach (SigningKey key in keys)
        {
            bool isThere = false;
            foreach (ReadOnlySpan<byte> rdata in signatures)
                isThere |= RrsigFields.TryRead(rdata, out RrsigFields fields)
                    && fields.KeyTag == key.Public.Tag && fields.Algorithm == key.Public.Algorithm;
            if (!isThere) return false;
        }
        return true;
    }
}

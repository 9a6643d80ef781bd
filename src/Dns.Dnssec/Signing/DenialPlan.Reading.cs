namespace Dns.Dnssec.Signing;

/// <content>The chain of a signed zone.</content>
public sealed partial record DenialPlan
{
    private const int SaltAt = 5;

    /// <summary>Reads the denial of a signed zone; false without a chain, or with parameters not made here.</summary>
    public static bool TryRead(Zone signed, [NotNullWhen(true)] out DenialPlan? plan)
    {
        plan = null;
        if (!signed.ApexNode.TryFind(RRType.NSEC3PARAM, out RRset parameters))
        {
            if (signed.ApexNode.TryFind(RRType.NSEC, out _)) plan = Nsec;
            return plan is not null;
        }
        ReadOnlySpan<byte> rdata = parameters.First;
        if (rdata.Length < SaltAt || rdata[0] != Nsec3Hash.Algorithm || rdata.Length != SaltAt + rdata[4]) return false;
        DenialPlan hashed = Hashed(BinaryPrimitives.ReadUInt16BigEndian(rdata[2..]), rdata[SaltAt..], optsOut: false);
        if (hashed.FindFault() is not null) return false;
        plan = IsOptOut(signed, hashed) ? hashed with { OptsOut = true } : hashed;
        return true;
    }

    private static bool IsOptOut(Zone signed, DenialPlan plan)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        Span<byte> owner = stackalloc byte[WireName.MaxOctets + DenialRdata.LabelOctets + 1];
        Nsec3Hash.Compute(signed.Apex, plan.Salt, plan.Iterations, hash);
        int length = DenialRdata.WriteOwner(hash, signed.Apex, owner);
        return length <= WireName.MaxOctets && SourceNames.TryFind(signed, owner[..length], out ZoneNode node)
            && node.TryFind(RRType.NSEC3, out RRset record) && record.First.Length > 1 && (record.First[1] & 1) != 0;
    }
}

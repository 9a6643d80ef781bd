namespace Dns.Dnssec.Signing;

/// <summary>RDATA of NSEC, NSEC3 and NSEC3PARAM, and the owners of NSEC3 records.</summary>
internal static class DenialRdata
{
    /// <summary>Octets of the label of an NSEC3 owner.</summary>
    internal const int LabelOctets = 32;

    /// <summary>Maximum octets before the bitmap of an NSEC3 record.</summary>
    internal const int MaxHashedOctets = 5 + Nsec3Hash.MaxSaltOctets + 1 + Nsec3Hash.LengthOctets;

    private const int SaltAt = 5;

    private static ReadOnlySpan<byte> Digits => "0123456789abcdefghijklmnopqrstuv"u8;

    /// <summary>Writes the part of NSEC3 before the bitmap (RFC 5155 §3.2), and returns its length.</summary>
    internal static int WriteHashed(DenialPlan plan, ReadOnlySpan<byte> nextHash, Span<byte> rdata)
    {
        int at = WriteParameters(plan, plan.Flags, rdata);
        rdata[at++] = Nsec3Hash.LengthOctets;
        nextHash.CopyTo(rdata[at..]);
        return at + Nsec3Hash.LengthOctets;
    }

    /// <summary>The RDATA of NSEC3PARAM, whose flags are zero (RFC 5155 §4.1.2).</summary>
    internal static byte[] Parameters(DenialPlan plan)
    {
        byte[] rdata = new byte[SaltAt + plan.Salt.Length];
        WriteParameters(plan, 0, rdata);
        return rdata;
    }

    private static int WriteParameters(DenialPlan plan, byte flags, Span<byte> rdata)
    {
        (rdata[0], rdata[1]) = (Nsec3Hash.Algorithm, flags);
        BinaryPrimitives.WriteUInt16BigEndian(rdata[2..], (ushort)plan.Iterations);
        rdata[4] = (byte)plan.Salt.Length;
        plan.Salt.CopyTo(rdata[SaltAt..]);
        return SaltAt + plan.Salt.Length;
    }

    /// <summary>The offset of the bitmap in valid RDATA; -1 in malformed RDATA.</summary>
    internal static int BitmapAt(RRType type, ReadOnlySpan<byte> rdata)
    {
        if (type == RRType.NSEC) return WireName.TryMeasure(rdata, out int octets) ? octets : -1;
        if (rdata.Length <= SaltAt) return -1;
        int at = SaltAt + rdata[4];
        return at < rdata.Length && at + 1 + rdata[at] <= rdata.Length ? at + 1 + rdata[at] : -1;
    }

    /// <summary>Writes the owner of the NSEC3 record of a hash, in lower case, and returns its length.</summary>
    internal static int WriteOwner(ReadOnlySpan<byte> hash, ReadOnlySpan<byte> apex, Span<byte> owner)
    {
        owner[0] = LabelOctets;
        int at = 1, bits = 0;
        uint pending = 0;
        foreach (byte octet in hash)
        {
            pending = pending << 8 | octet;
            for (bits += 8; bits >= 5;)
            {
                bits -= 5;
                owner[at++] = Digits[(int)(pending >> bits & 31)];
            }
        }
        apex.CopyTo(owner[at..]);
        return at + apex.Length;
    }

    /// <summary>Reads the hash in the owner of an NSEC3 record. False if the first label is not a hash.</summary>
    internal static bool TryReadOwner(ReadOnlySpan<byte> owner, Span<byte> hash)
    {
        if (owner[0] != LabelOctets) return false;
        int at = 0, bits = 0;
        uint pending = 0;
        foreach (byte octet in owner.Slice(1, LabelOctets))
        {
            int digit = Digits.IndexOf(WireName.ToLower(octet));
            if (digit < 0) return false;
            pending = pending << 5 | (uint)digit;
            bits += 5;
            if (bits < 8) continue;
            bits -= 8;
            hash[at++] = (byte)(pending >> bits);
        }
        return true;
    }
}

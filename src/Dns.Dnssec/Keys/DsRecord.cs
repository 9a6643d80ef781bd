using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>The digest of DS and CDS records (RFC 4034 §5.1.4): over the zone's name and DNSKEY RDATA.</summary>
internal static class DsRecord
{
    private const int FixedOctets = 4;
    private const int MaxOctets = SHA384.HashSizeInBytes;

    internal static bool TryMake(Dnskey key, ReadOnlySpan<byte> owner, DsDigest type, out byte[] rdata)
    {
        Span<byte> digest = stackalloc byte[MaxOctets];
        int octets = Compute(key, owner, type, digest);
        rdata = [];
        if (octets == 0) return false;
        rdata = new byte[FixedOctets + octets];
        BinaryPrimitives.WriteUInt16BigEndian(rdata, key.Tag);
        (rdata[2], rdata[3]) = ((byte)key.Algorithm, (byte)type);
        digest[..octets].CopyTo(rdata.AsSpan(FixedOctets));
        return true;
    }

    /// <summary>Whether a DS record's RDATA matches a key.</summary>
    internal static bool IsOf(Dnskey key, ReadOnlySpan<byte> owner, ReadOnlySpan<byte> ds)
    {
        if (ds.Length <= FixedOctets || ds[2] != (byte)key.Algorithm ||
            BinaryPrimitives.ReadUInt16BigEndian(ds) != key.Tag) return false;
        Span<byte> digest = stackalloc byte[MaxOctets];
        int octets = Compute(key, owner, (DsDigest)ds[3], digest);
        return octets > 0 && digest[..octets].SequenceEqual(ds[FixedOctets..]);
    }

    private static int Compute(Dnskey key, ReadOnlySpan<byte> owner, DsDigest type, Span<byte> digest)
    {
        if (!WireName.IsValid(owner)) return 0;
        byte[] data = new byte[owner.Length + key.Rdata.Length];
        WireName.ToLower(owner, data);
        key.Rdata.CopyTo(data.AsSpan(owner.Length));
        return type switch
        {
            DsDigest.Sha1 => SHA1.HashData(data, digest),
            DsDigest.Sha256 => SHA256.HashData(data, digest),
            DsDigest.Sha384 => SHA384.HashData(data, digest),
            _ => 0,
        };
    }
}

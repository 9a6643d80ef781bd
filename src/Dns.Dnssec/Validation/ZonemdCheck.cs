using System.Security.Cryptography;

namespace Dns.Dnssec.Validation;

/// <summary>Verifies the ZONEMD records at the apex of a zone (RFC 8976 §4).</summary>
public static class ZonemdCheck
{
    private const byte Sha512Algorithm = 2;
    private const int FixedOctets = 6;

    /// <summary>Checks the records; a verifiable one must be valid. A zone without any passes.</summary>
    internal static void Check(Zone zone, DiagnosticList diagnostics)
    {
        if (!zone.ApexNode.TryFind(RRType.ZONEMD, out RRset records)) return;
        bool isGood = false, isTried = false;
        foreach (ReadOnlySpan<byte> rdata in records)
        {
            string? fault = FindFault(zone, records, rdata, out bool isSupported);
            isGood |= fault is null;
            isTried |= isSupported;
            if (fault is not null && !isSupported)
                diagnostics.Warn(zone.Apex, RRType.ZONEMD, rdata, $"ZONEMD: {fault}");
        }
        if (isGood || !isTried) return;
        foreach (ReadOnlySpan<byte> rdata in records)
            if (FindFault(zone, records, rdata, out bool isSupported) is string fault && isSupported)
                diagnostics.Error(zone.Apex, RRType.ZONEMD, rdata, $"ZONEMD: {fault}");
    }

    /// <summary>Whether a verifiable ZONEMD record of a version is valid; null without a verifiable one.</summary>
    public static bool? Verify(Zone zone)
    {
        if (!zone.ApexNode.TryFind(RRType.ZONEMD, out RRset records)) return null;
        bool? isGood = null;
        foreach (ReadOnlySpan<byte> rdata in records)
        {
            bool isValid = FindFault(zone, records, rdata, out bool isSupported) is null;
            if (isSupported) isGood = isGood == true || isValid;
        }
        return isGood;
    }

    private static string? FindFault(Zone zone, RRset records, ReadOnlySpan<byte> rdata, out bool isSupported)
    {
        isSupported = false;
        if (rdata.Length <= FixedOctets) return "expected a serial, a scheme, a hash and a digest";
        (byte scheme, byte hash) = (rdata[4], rdata[5]);
        if (scheme != ZoneDigester.SimpleScheme) return $"the scheme {scheme} is not verified here";
        if (hash is not (ZoneDigester.Sha384Algorithm or Sha512Algorithm))
            return $"the hash {hash} is not verified here";
        bool isSha512 = hash == Sha512Algorithm;
        if (rdata.Length - FixedOctets != (isSha512 ? SHA512.HashSizeInBytes : SHA384.HashSizeInBytes))
            return $"found a digest of {rdata.Length - FixedOctets} octets";
        isSupported = true;
        // Two of one scheme and hash are ignored (RFC 8976 §4).
        int same = 0;
        foreach (ReadOnlySpan<byte> other in records)
            if (other.Length > FixedOctets && other[4] == scheme && other[5] == hash) same++;
        if (same > 1) return $"found {same} records of one scheme and hash, expected one";
        uint serial = BinaryPrimitives.ReadUInt32BigEndian(rdata);
        if (serial != zone.Serial) return $"found the serial {serial}, expected that of the SOA, {zone.Serial}";
        byte[] digest = ZoneDigester.Compute(zone, isSha512 ? HashAlgorithmName.SHA512 : HashAlgorithmName.SHA384);
        return digest.AsSpan().SequenceEqual(rdata[FixedOctets..])
            ? null : "the digest is not that of the zone's records";
    }
}

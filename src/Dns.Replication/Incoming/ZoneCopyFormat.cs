using System.Security.Cryptography;

namespace Dns.Replication.Incoming;

/// <summary>The format of the copy of a zone. All numbers are in network order.</summary>
/// <remarks>
/// <code>
/// header   8   "dnsdcopy"
///          1   version of the format, 1
///          1   length of the zone's name
///          4   serial
///          16  a random number: the base of the journal behind it
///          n   the zone's name, lower case
///          4   CRC-32C of all that
/// times    24  confirmed, refresh, expiry: milliseconds since 1970, 8 octets each; overwritten in place
///          4   CRC-32C of them
/// block    4   length of the body, 0 in the last
///          4   CRC-32C of the CRC before it, the length and the body
///          ... records
/// record   1   length of the owner, then the owner; 0 = that of the record before
///          2   type
///          4   TTL
///          2   length of the RDATA, then the RDATA
/// </code>
/// </remarks>
internal static class ZoneCopyFormat
{
    internal const byte Version = 1;
    internal const int HeaderFixedOctets = 8 + 1 + 1 + 4 + 16;
    internal const int MaxHeaderOctets = HeaderFixedOctets + WireName.MaxOctets + CrcOctets;
    internal const int TimesOctets = 24 + CrcOctets;
    internal const int BlockFixedOctets = 4 + CrcOctets;

    /// <summary>The length from which on a body is written.</summary>
    internal const int BlockOctets = 256 << 10;

    /// <summary>The maximum length of a record, by which a body may be longer.</summary>
    internal const int MaxRecordOctets = 1 + WireName.MaxOctets + 8 + ushort.MaxValue;

    private const int CrcOctets = 4;

    internal static ReadOnlySpan<byte> Magic => "dnsdcopy"u8;

    /// <summary>Writes a header, which ends with its CRC.</summary>
    internal static byte[] WriteHeader(DomainName zone, JournalBase at)
    {
        byte[] header = new byte[HeaderFixedOctets + zone.Octets.Length + CrcOctets];
        Magic.CopyTo(header);
        (header[8], header[9]) = (Version, (byte)zone.Octets.Length);
        BinaryPrimitives.WriteUInt32BigEndian(header.AsSpan(10), at.Serial);
        BinaryPrimitives.WriteUInt128BigEndian(header.AsSpan(14), at.Digest);
        WireName.ToLower(zone.Octets, header.AsSpan(HeaderFixedOctets));
        BinaryPrimitives.WriteUInt32BigEndian(header.AsSpan(header.Length - CrcOctets),
            JournalFormat.Crc(0, header.AsSpan(..^CrcOctets)));
        return header;
    }

    internal static bool TryReadHeader(
        DomainName zone, ReadOnlySpan<byte> octets, out JournalBase at, [NotNullWhen(false)] out CopyDamage? damage)
    {
        at = default;
        int length = HeaderFixedOctets + zone.Octets.Length + CrcOctets;
        if (octets.Length < length || !octets.StartsWith(Magic)) damage = new(CopyFault.Foreign);
        else if (octets[8] != Version) damage = new(CopyFault.Version, octets[8]);
        else if (octets[9] != zone.Octets.Length ||
            !WireName.EqualsIgnoreCase(octets.Slice(HeaderFixedOctets, octets[9]), zone.Octets))
            damage = new(CopyFault.OtherZone, zone);
        else damage = IsCrc(octets[..length]) ? null : new(CopyFault.Header);
        if (damage is null)
            at = new JournalBase(BinaryPrimitives.ReadUInt32BigEndian(octets[10..]),
                BinaryPrimitives.ReadUInt128BigEndian(octets[14..]));
        return damage is null;
    }

    internal static int HeaderOctets(DomainName zone) => HeaderFixedOctets + zone.Octets.Length + CrcOctets;

    internal static byte[] WriteTimes(in ZoneCopyTimes times)
    {
        byte[] octets = new byte[TimesOctets];
        BinaryPrimitives.WriteInt64BigEndian(octets, times.ConfirmedAt.ToUnixTimeMilliseconds());
        BinaryPrimitives.WriteInt64BigEndian(octets.AsSpan(8), times.RefreshAt.ToUnixTimeMilliseconds());
        BinaryPrimitives.WriteInt64BigEndian(octets.AsSpan(16), times.ExpiresAt.ToUnixTimeMilliseconds());
        BinaryPrimitives.WriteUInt32BigEndian(octets.AsSpan(24), JournalFormat.Crc(0, octets.AsSpan(..24)));
        return octets;
    }

    /// <summary>Parses times; false if they are damaged.</summary>
    internal static bool TryReadTimes(ReadOnlySpan<byte> octets, out ZoneCopyTimes times)
    {
        times = default;
        if (octets.Length < TimesOctets || !IsCrc(octets[..TimesOctets])) return false;
        times = new ZoneCopyTimes(
            DateTimeOffset.FromUnixTimeMilliseconds(BinaryPrimitives.ReadInt64BigEndian(octets)),
            DateTimeOffset.FromUnixTimeMilliseconds(BinaryPrimitives.ReadInt64BigEndian(octets[8..])),
            DateTimeOffset.FromUnixTimeMilliseconds(BinaryPrimitives.ReadInt64BigEndian(octets[16..])));
        return true;
    }

    /// <summary>Whether octets end with the CRC of those before it.</summary>
    private static bool IsCrc(ReadOnlySpan<byte> octets) =>
        JournalFormat.Crc(0, octets[..^CrcOctets]) == BinaryPrimitives.ReadUInt32BigEndian(octets[^CrcOctets..]);

    /// <summary>A base that is unique among versions with the same serial.</summary>
    internal static JournalBase NewBase(Zone zone)
    {
        Span<byte> number = stackalloc byte[16];
        RandomNumberGenerator.Fill(number);
        return new JournalBase(zone.Serial, BinaryPrimitives.ReadUInt128BigEndian(number));
    }
}

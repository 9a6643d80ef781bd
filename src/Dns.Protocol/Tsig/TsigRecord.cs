namespace Dns.Protocol.Tsig;

/// <summary>The TSIG record of a message (RFC 8945 §4.2). Borrows the message; never throws.</summary>
/// <remarks><code>
/// owner            name of the key; TYPE 250, CLASS ANY, TTL 0
/// RDATA            name of the algorithm, uncompressed
///                  48 bits   time signed, seconds since 1970
///                  16 bits   fudge, seconds
///                  16 bits   MAC size, then the MAC
///                  16 bits   original ID
///                  16 bits   error
///                  16 bits   other length, then other data
/// </code></remarks>
public readonly ref struct TsigRecord
{
    /// <summary>Octets of RDATA beside the name of the algorithm, the MAC and other data.</summary>
    internal const int FixedRdataOctets = TimeOctets + 2 + 2 + 2 + 2 + 2;

    /// <summary>Octets of a server's time in other data (RFC 8945 §5.2.3).</summary>
    internal const int ServerTimeOctets = TimeOctets;

    /// <summary>The maximum length of <see cref="WriteUnsigned"/>.</summary>
    public const int MaxUnsignedOctets = 2 * WireName.MaxOctets + RecordReader.FixedOctets + FixedRdataOctets;

    private const int TimeOctets = 6;

    private readonly ReadOnlySpan<byte> _afterAlgorithm;

    private readonly RecordReader _record;

    private TsigRecord(scoped in RecordReader record, ReadOnlySpan<byte> algorithm, ReadOnlySpan<byte> afterAlgorithm)
    {
        _record = record;
        AlgorithmName = algorithm;
        _afterAlgorithm = afterAlgorithm;
    }

    /// <summary>The offset of the record: the end of the signed octets.</summary>
    public int Offset => _record.OwnerOffset;

    /// <summary>The name of the key. Allocates.</summary>
    public DomainName KeyName
    {
        get
        {
            Span<byte> name = stackalloc byte[WireName.MaxOctets];
            _record.TryExpandOwner(name, out int octets);
            return DomainName.FromOctets(name[..octets]);
        }
    }

    /// <summary>The name of the algorithm as received.</summary>
    public ReadOnlySpan<byte> AlgorithmName { get; }

    /// <summary>When it was signed, in seconds since 1970.</summary>
    public long TimeSigned => ReadTime(_afterAlgorithm);

    /// <summary>The permitted clock skew in seconds.</summary>
    public ushort Fudge => BinaryPrimitives.ReadUInt16BigEndian(_afterAlgorithm[TimeOctets..]);

    /// <summary>The MAC, possibly truncated; empty in an error that cannot be signed.</summary>
    public ReadOnlySpan<byte> Mac => _afterAlgorithm.Slice(TimeOctets + 4, MacOctets);

    /// <summary>The ID that the message had when it was signed.</summary>
    public ushort OriginalId => BinaryPrimitives.ReadUInt16BigEndian(AfterMac);

    /// <summary>The error: NOERROR, BADSIG, BADKEY, BADTIME or BADTRUNC.</summary>
    public Rcode Error => (Rcode)BinaryPrimitives.ReadUInt16BigEndian(AfterMac[2..]);

    /// <summary>The server's time, with BADTIME.</summary>
    public ReadOnlySpan<byte> OtherData => AfterMac[6..];

    /// <summary>Time signed and fudge as received: the signed part of the record from the second response on.</summary>
    internal ReadOnlySpan<byte> Timers => _afterAlgorithm[..(TimeOctets + 2)];

    /// <summary>Error, other length and other data: the signed octets behind the MAC.</summary>
    internal ReadOnlySpan<byte> AfterMacOctets => AfterMac[2..];

    private int MacOctets => BinaryPrimitives.ReadUInt16BigEndian(_afterAlgorithm[(TimeOctets + 2)..]);

    private ReadOnlySpan<byte> AfterMac => _afterAlgorithm[(TimeOctets + 4 + MacOctets)..];

    /// <summary>Parses the current record of a reader. Allocates nothing.</summary>
    /// <param name="record">A reader at a record that is <see cref="RecordReader.IsLastTsig"/>.</param>
    /// <returns>False if it is malformed: FORMERR.</returns>
    public static bool TryRead(scoped in RecordReader record, out TsigRecord tsig)
    {
        tsig = default;
        if (record.Class != RRClass.ANY || record.Ttl != 0) return false;
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        if (!record.TryExpandOwner(name, out _)) return false;
        ReadOnlySpan<byte> rdata = record.Rdata;
        if (!WireName.TryMeasure(rdata, out int algorithm) || rdata.Length - algorithm < FixedRdataOctets) return false;
        ReadOnlySpan<byte> rest = rdata[algorithm..];
        int other = TimeOctets + 4 + BinaryPrimitives.ReadUInt16BigEndian(rest[(TimeOctets + 2)..]) + 4;
        if (rest.Length < other + 2 || rest.Length != other + 2 + BinaryPrimitives.ReadUInt16BigEndian(rest[other..]))
            return false;
        tsig = new TsigRecord(in record, rdata[..algorithm], rest);
        return true;
    }

    /// <summary>Writes the record of an unsigned answer: this one's, without MAC (RFC 8945 §5.2.1, §5.2.2).</summary>
    /// <param name="destination">At least <see cref="MaxUnsignedOctets"/>; must not overlap the message.</param>
    /// <param name="error">BADKEY or BADSIG.</param>
    /// <returns>Its length.</returns>
    public int WriteUnsigned(Span<byte> destination, Rcode error)
    {
        _record.TryExpandOwner(destination, out int position);
        BinaryPrimitives.WriteUInt32BigEndian(destination[position..], (uint)RRType.TSIG << 16 | (uint)RRClass.ANY);
        BinaryPrimitives.WriteUInt32BigEndian(destination[(position + 4)..], 0);
        BinaryPrimitives.WriteUInt16BigEndian(destination[(position + 8)..],
            (ushort)(AlgorithmName.Length + FixedRdataOctets));
        position += RecordReader.FixedOctets;
        AlgorithmName.CopyTo(destination[position..]);
        position += AlgorithmName.Length;
        Timers.CopyTo(destination[position..]);
        position += Timers.Length;
        Span<byte> rest = destination.Slice(position, FixedRdataOctets - Timers.Length);
        rest.Clear();
        BinaryPrimitives.WriteUInt16BigEndian(rest[2..], OriginalId);
        BinaryPrimitives.WriteUInt16BigEndian(rest[4..], (ushort)error);
        return position + rest.Length;
    }

    /// <summary>Finds the TSIG record of a message.</summary>
    public static TsigPresence Find(ReadOnlySpan<byte> message, out TsigRecord tsig)
    {
        tsig = default;
        if (!MessageReader.TryOpen(message, out MessageReader reader)) return TsigPresence.Malformed;
        RecordReader records = reader.ReadRecords();
        while (records.TryRead())
        {
            if (records.Type != RRType.TSIG) continue;
            // Permitted only as the last of the additional section (RFC 8945 §5.1).
            return records.IsLastTsig && TryRead(in records, out tsig)
                ? TsigPresence.Present : TsigPresence.Malformed;
        }
        return records.IsMalformed ? TsigPresence.Malformed : TsigPresence.Absent;
    }

    internal static void WriteTime(Span<byte> destination, long seconds)
    {
        BinaryPrimitives.WriteUInt16BigEndian(destination, (ushort)(seconds >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(destination[2..], (uint)seconds);
    }

    private static long ReadTime(ReadOnlySpan<byte> octets) =>
        (long)BinaryPrimitives.ReadUInt16BigEndian(octets) << 32 | BinaryPrimitives.ReadUInt32BigEndian(octets[2..]);
}

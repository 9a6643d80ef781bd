namespace Dns.Protocol.Edns;

/// <summary>An OPT record (RFC 6891 §6.1.2 and §6.1.3). Borrows the message.</summary>
/// <remarks><code>
/// owner      root, one octet
/// TYPE       41
/// CLASS      largest UDP payload the sender takes, in octets
/// TTL        +--- 8 bits upper RCODE ---+--- 8 bits version ---+DO+--- 15 bits Z ---+
/// RDATA      options: 16 bits code, 16 bits length, data
/// </code></remarks>
public readonly ref struct OptReader
{
    /// <summary>DO, among the lower sixteen bits of the TTL (RFC 3225).</summary>
    public const ushort DnssecOkFlag = 0x8000;

    /// <summary>The flag CO: NXDOMAIN is understood beside an NSEC record that says NXNAME (RFC 9824 §5.1).</summary>
    public const ushort CompactAnswersOkFlag = 0x4000;

    private readonly uint _ttl;

    private OptReader(RRClass payload, uint ttl, ReadOnlySpan<byte> options)
    {
        IsPresent = true;
        PayloadOctets = (ushort)payload;
        _ttl = ttl;
        OptionOctets = options;
    }

    /// <summary>Reads the current record of a reader.</summary>
    /// <returns>False if it is another type, is not in the additional section, or its owner is not the root.</returns>
    public static bool TryRead(scoped in RecordReader record, out OptReader opt)
    {
        if (record.Type != RRType.OPT || record.Section != MessageSection.Additional || !record.IsOwnerRoot)
        {
            opt = default;
            return false;
        }
        opt = new OptReader(record.Class, record.Ttl, record.Rdata);
        return true;
    }

    /// <summary>Whether there is a record; false for the default value.</summary>
    public bool IsPresent { get; }

    /// <summary>The sender's maximum UDP payload, in octets; below 512 means 512.</summary>
    public ushort PayloadOctets { get; }

    /// <summary>The version; versions above 0 are answered with BADVERS.</summary>
    public byte Version => (byte)(_ttl >> 16);

    /// <summary>DO: signatures are requested.</summary>
    public bool DnssecOk => (_ttl & DnssecOkFlag) != 0;

    /// <summary>The RDATA: all options.</summary>
    public ReadOnlySpan<byte> OptionOctets { get; }

    /// <summary>A reader of the options.</summary>
    public EdnsOptionReader Options => new(OptionOctets);

    /// <summary>The RCODE: the lower four bits of the header with the upper eight of this record.</summary>
    public Rcode FullRcode(Rcode header) => (Rcode)((int)(_ttl >> 24) << 4 | (int)header & MessageHeader.RcodeMask);

    /// <summary>The INFO-CODE of the first extended error (RFC 8914 §2); null for none.</summary>
    public ExtendedErrorCode? ExtendedError =>
        TryFind(EdnsOptionCode.ExtendedError, out ReadOnlySpan<byte> data) && data.Length >= sizeof(ushort)
            ? (ExtendedErrorCode)BinaryPrimitives.ReadUInt16BigEndian(data) : null;

    /// <summary>The data of the first option of a code.</summary>
    /// <returns>False if there is none before the end or a malformed option.</returns>
    public bool TryFind(EdnsOptionCode code, out ReadOnlySpan<byte> data)
    {
        EdnsOptionReader options = Options;
        while (options.TryRead())
        {
            if (options.Code != code) continue;
            data = options.Data;
            return true;
        }
        data = default;
        return false;
    }
}

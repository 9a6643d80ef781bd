namespace Dns.Protocol;

/// <summary>What an OPT record says (RFC 6891 §6.1.2 and §6.1.3). Borrows the message.</summary>
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

    /// <summary>Takes the record that a reader stands at.</summary>
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

    /// <summary>Whether there is a record: false of the default value, which stands for a message without one.</summary>
    public bool IsPresent { get; }

    /// <summary>The largest UDP payload that its sender takes, in octets; below 512 means 512.</summary>
    public ushort PayloadOctets { get; }

    /// <summary>The version; a server that has version 0 alone answers others with BADVERS.</summary>
    public byte Version => (byte)(_ttl >> 16);

    /// <summary>DO: signatures are wanted.</summary>
    public bool DnssecOk => (_ttl & DnssecOkFlag) != 0;

    /// <summary>The RDATA: all options.</summary>
    public ReadOnlySpan<byte> OptionOctets { get; }

    /// <summary>A reader of the options.</summary>
    public EdnsOptionReader Options => new(OptionOctets);

    /// <summary>The response code: the lower four bits of the header with the upper eight of this record.</summary>
    public Rcode FullRcode(Rcode header) => (Rcode)((int)(_ttl >> 24) << 4 | (int)header & MessageHeader.RcodeMask);

    /// <summary>The data of the first option of a code.</summary>
    /// <returns>False if there is none before the end, or before an option that runs past the record.</returns>
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

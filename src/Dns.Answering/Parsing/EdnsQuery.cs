namespace Dns.Answering.Parsing;

/// <summary>The options of a query that affect its answer.</summary>
[Flags]
internal enum EdnsRequests : byte
{
    None = 0,
    Nsid = 1,
    Expire = 2,
    Keepalive = 4,
    ZoneVersion = 8,
    Cookie = 16,
}

/// <summary>The OPT record of a query (RFC 6891 §6.1).</summary>
/// <remarks><code>
/// owner      root, one octet
/// TYPE       41
/// CLASS      maximum UDP payload of the client, in octets
/// TTL        +--- 8 bits upper RCODE ---+--- 8 bits version ---+DO+--- 15 bits Z ---+
/// RDATA      options: 16 bits code, 16 bits length, data
/// </code></remarks>
internal struct EdnsQuery
{
    internal bool IsPresent;
    internal byte Version;

    /// <summary>The upper octet of the reply's flags: DO as in the query; CO if the answer depends on it.</summary>
    internal byte ReplyFlags;
    internal EdnsRequests Requested;
    internal ushort PayloadOctets;
    internal ushort Flags;
    internal CookieOption Cookie;

    /// <summary>Whether the client requests signatures and proofs (DO, RFC 3225).</summary>
    internal readonly bool DnssecOk => (ReplyFlags & OptReader.DnssecOkFlag >> 8) != 0;

    /// <summary>Whether the client accepts NXDOMAIN with an NXNAME record (CO, RFC 9824 §5.1).</summary>
    internal readonly bool CompactAnswersOk => (Flags & OptReader.CompactAnswersOkFlag) != 0;

    /// <summary>Whether a valid cookie proves the client's address.</summary>
    internal readonly bool HasValidCookie => Cookie.State == CookieState.Valid;

    /// <summary>Reads an OPT record without options.</summary>
    internal void Set(ushort payloadOctets, uint ttl)
    {
        IsPresent = true;
        PayloadOctets = payloadOctets;
        Version = (byte)(ttl >> 16);
        Flags = (ushort)ttl;
        ReplyFlags = (byte)((ttl & OptReader.DnssecOkFlag) >> 8);
    }

    /// <summary>Reads an OPT record.</summary>
    /// <returns>False if an option runs past the record.</returns>
    internal bool TryRead(ushort payloadOctets, uint ttl, ReadOnlySpan<byte> options)
    {
        Set(payloadOctets, ttl);
        EdnsOptionReader reader = new(options);
        while (reader.TryRead())
        {
            if (reader.Code == EdnsOptionCode.Cookie) Cookie.Read(reader.Data);
            Requested |= reader.Code switch
            {
                EdnsOptionCode.Nsid => EdnsRequests.Nsid,
                EdnsOptionCode.Expire => EdnsRequests.Expire,
                EdnsOptionCode.TcpKeepalive => EdnsRequests.Keepalive,
                EdnsOptionCode.ZoneVersion => EdnsRequests.ZoneVersion,
                _ => EdnsRequests.None,
            };
        }
        return reader.IsAtEnd;
    }
}

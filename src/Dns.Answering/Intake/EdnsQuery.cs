using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>The options of a query that an answer may have to take up.</summary>
[Flags]
internal enum EdnsAsked : byte
{
    None = 0,
    Nsid = 1,
    Expire = 2,
    Keepalive = 4,
    ZoneVersion = 8,
    Cookie = 16,
}

/// <summary>What a query says in its OPT record (RFC 6891 §6.1).</summary>
/// <remarks><code>
/// owner      root, one octet
/// TYPE       41
/// CLASS      largest UDP payload the client takes, in octets
/// TTL        +--- 8 bits upper RCODE ---+--- 8 bits version ---+DO+--- 15 bits Z ---+
/// RDATA      options: 16 bits code, 16 bits length, data
/// </code></remarks>
internal struct EdnsQuery
{
    internal bool IsPresent;
    internal bool DnssecOk;
    internal byte Version;
    internal EdnsAsked Asked;
    internal ushort PayloadOctets;
    internal CookieOption Cookie;

    /// <summary>Whether the client has shown, by a cookie of ours, that it receives at its address what we send.</summary>
    internal readonly bool HasValidCookie => Cookie.State == CookieState.Valid;

    /// <summary>Takes up an OPT record.</summary>
    /// <param name="fixedPart">CLASS and TTL, six octets.</param>
    /// <param name="options">The RDATA.</param>
    /// <returns>False if an option runs past the record.</returns>
    internal bool TryRead(ReadOnlySpan<byte> fixedPart, ReadOnlySpan<byte> options)
    {
        IsPresent = true;
        PayloadOctets = BinaryPrimitives.ReadUInt16BigEndian(fixedPart);
        Version = fixedPart[3];
        DnssecOk = (fixedPart[4] & 0x80) != 0;
        Asked = EdnsAsked.None;
        while (!options.IsEmpty)
        {
            if (options.Length < 4) return false;
            int length = BinaryPrimitives.ReadUInt16BigEndian(options[2..]);
            if (length > options.Length - 4) return false;
            EdnsOptionCode code = (EdnsOptionCode)BinaryPrimitives.ReadUInt16BigEndian(options);
            if (code == EdnsOptionCode.Cookie) Cookie.Read(options.Slice(4, length));
            Asked |= code switch
            {
                EdnsOptionCode.Nsid => EdnsAsked.Nsid,
                EdnsOptionCode.Expire => EdnsAsked.Expire,
                EdnsOptionCode.TcpKeepalive => EdnsAsked.Keepalive,
                EdnsOptionCode.ZoneVersion => EdnsAsked.ZoneVersion,
                _ => EdnsAsked.None,
            };
            options = options[(4 + length)..];
        }
        return true;
    }
}

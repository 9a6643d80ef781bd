using System.Security.Cryptography;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>
/// Signs the messages of a transfer as RFC 8945 §5.3.1 has it, some of them only by those behind them.
/// </summary>
internal sealed class PrimarySignature
{
    // Every key of these tests has this secret.
    private static readonly byte[] Secret = new byte[32];

    private readonly TsigChain _chain;
    private readonly byte[] _timers;
    private byte[] _mac = [];
    private List<byte> _unsigned = [];

    public PrimarySignature(PrimaryQuery query, TsigKey key, long now)
    {
        TsigChain.Accept(query.Octets.Span, new TsigKeyRing([key]), now, out TsigChain? chain, out _);
        _chain = chain!;
        _timers = [0, 0, .. WireOctets.UInt32((uint)now), .. WireOctets.UInt16(TsigChain.Fudge)];
    }

    /// <summary>A message signed as a request, by any key.</summary>
    public static byte[] Of(byte[] message, TsigKey key, long now)
    {
        byte[] room = [.. message, .. new byte[512]];
        int octets = message.Length;
        TsigChain.Request(key, room, ref octets, now).Dispose();
        return room[..octets];
    }

    public byte[] Next(byte[] message, bool isSigned)
    {
        if (!isSigned)
        {
            _unsigned.AddRange(message);
            return message;
        }
        if (_mac.Length == 0)
        {
            byte[] room = [.. message, .. new byte[512]];
            room = room[.._chain.Sign(room, message.Length, _chain.TimeSigned)];
            // Behind the code: original ID, error, other length.
            _mac = room[^(32 + 6)..^6];
            return room;
        }
        byte[] covered = [.. WireOctets.UInt16(_mac.Length), .. _mac, .. _unsigned, .. message, .. _timers];
        _mac = HMACSHA256.HashData(Secret, covered);
        _unsigned = [];
        byte[] record = WireOctets.Record("k1.", RRType.TSIG, (int)RRClass.ANY, 0,
            [.. WireOctets.Name("hmac-sha256"), .. _timers, .. WireOctets.UInt16(32), .. _mac, .. message[..2],
                0, 0, 0, 0]);
        byte[] signed = [.. message, .. record];
        MessageHeader.SetCount(signed, 3, 1);
        return signed;
    }
}

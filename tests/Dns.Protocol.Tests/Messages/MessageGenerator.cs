using Dns.Testing;

namespace Dns.Protocol.Tests;

/// <summary>
/// Makes messages at random: with compressed names, RDATA of all types, OPT and TSIG, and then faults in them.
/// </summary>
internal sealed class MessageGenerator(int seed)
{
    private static readonly byte[] Interesting = [0, 1, 4, 5, 10, 11, 12, 13, 0x29, 0x3F, 0x40, 0x7F, 0x80, 0xC0, 0xC1,
        0xFA, 0xFF];
    private static readonly string[] Names = ["example.", "www.example.", "WWW.Example.", "a.b.c.example.",
        "other.test.", "."];

    private readonly Random _random = new(seed);
    private readonly MessageNames _names = new(64);

    /// <summary>A well-formed message.</summary>
    public byte[] Next()
    {
        MessageWriter writer = new(new byte[ushort.MaxValue], _names);
        writer.WriteHeader((ushort)_random.Next(65536), (ushort)_random.Next(65536));
        for (int i = _random.Next(8) == 0 ? _random.Next(4) : 1; i > 0; i--)
            writer.TryWriteQuestion(Name(), RRType.A, RRClass.IN);
        for (MessageSection section = MessageSection.Answer; section <= MessageSection.Additional; section++)
            for (int i = _random.Next(5); i > 0; i--) WriteRecord(ref writer, section);
        if (_random.Next(2) == 0) WriteOpt(ref writer);
        if (_random.Next(4) == 0) WriteTsig(ref writer);
        writer.Finish();
        return writer.Octets.ToArray();
    }

    /// <summary>One with some faults in it, or octets at random behind a header.</summary>
    public byte[] NextMutated()
    {
        List<byte> octets = [.. Next()];
        for (int changes = _random.Next(1, 4); changes > 0; changes--)
        {
            int at = _random.Next(4, octets.Count), length = Math.Min(_random.Next(1, 30), octets.Count - at);
            switch (_random.Next(7))
            {
                case 0: octets[at] = (byte)_random.Next(256); break;
                case 1: octets[at] ^= (byte)(1 << _random.Next(8)); break;
                case 2: octets[at] = Interesting[_random.Next(Interesting.Length)]; break;
                case 3: octets.InsertRange(at, octets.GetRange(at, length)); break;
                case 4 when octets.Count - length >= 12: octets.RemoveRange(at, length); break;
                case 5: octets[5 + 2 * _random.Next(4)] = (byte)_random.Next(6); break;
                default: octets.RemoveRange(Math.Max(12, at), octets.Count - Math.Max(12, at)); break;
            }
        }
        return [.. octets];
    }

    /// <summary>A header and octets at random.</summary>
    public byte[] NextJunk()
    {
        byte[] octets = new byte[12 + _random.Next(80)];
        _random.NextBytes(octets);
        for (int i = 4; i < 12; i++) octets[i] = i % 2 == 0 && _random.Next(8) != 0 ? (byte)0 : (byte)_random.Next(4);
        for (int i = 12; i < octets.Length; i++)
            if (_random.Next(2) == 0) octets[i] = Interesting[_random.Next(Interesting.Length)];
        return octets;
    }

    private byte[] Name() => WireOctets.Name(Names[_random.Next(Names.Length)]);

    private void WriteRecord(ref MessageWriter writer, MessageSection section)
    {
        RdataSamples.Sample sample = RdataSamples.All[_random.Next(RdataSamples.All.Count)];
        RRType type = TextTokens.Type(sample.Type);
        writer.TryWrite(section, Name(), type, (RRClass)_random.Next(1, 5), (uint)_random.NextInt64(1L << 32),
            Convert.FromHexString(sample.Hex));
    }

    private void WriteOpt(ref MessageWriter writer)
    {
        writer.BeginOpt((ushort)_random.Next(65536), (Rcode)_random.Next(4096), _random.Next(2) == 0);
        for (int i = _random.Next(3); i > 0; i--)
            writer.WriteOption((EdnsOptionCode)_random.Next(20), new byte[_random.Next(20)]);
        writer.TryEnd();
    }

    private static void WriteTsig(ref MessageWriter writer)
    {
        byte[] rdata = [.. WireOctets.Name("hmac-sha256."), .. new byte[16]];
        writer.TryWrite(MessageSection.Additional, WireOctets.Name("key."), RRType.TSIG, RRClass.ANY, 0, rdata);
    }
}

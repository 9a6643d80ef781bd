using System.Buffers.Binary;
using System.Security.Cryptography;
using Dns.Testing;
using Xunit;

namespace Dns.Protocol.Tests;

/// <summary>Signed exchanges, both ends, and attacks on them.</summary>
public sealed class TsigChainTests
{
    private const long Now = 1_800_000_000;
    private static readonly TsigKey Key = MakeKey(TsigAlgorithm.HmacSha256);
    private static readonly TsigKeyRing Ring = new([Key]);

    public static TheoryData<TsigAlgorithm> Algorithms => new(Enum.GetValues<TsigAlgorithm>());

    [Theory, MemberData(nameof(Algorithms)), Trait("RFC", "8945 §5.2")]
    public void A_signed_request_and_its_signed_response_are_good(TsigAlgorithm algorithm)
    {
        TsigKey key = MakeKey(algorithm);
        byte[] request = Query(out int octets);
        using TsigChain client = TsigChain.Request(key, request, ref octets, Now);
        Assert.Equal(TsigVerdict.Good,
            TsigChain.Accept(request.AsSpan(0, octets), new([key]), Now + 5, out TsigChain? server, out int offset));
        Assert.Equal(Unsigned().Length, offset);
        byte[] response = Query(out int responseOctets);
        responseOctets = server!.Sign(response, responseOctets, Now + 5);
        Assert.Equal(TsigVerdict.Good,
            client.Next(response.AsSpan(0, responseOctets), Now + 6, out int plain, out Rcode error));
        Assert.Equal((Unsigned().Length, Rcode.NoError, Now + 5), (plain, error, client.TimeSigned));
        server.Dispose();
    }

    [Fact, Trait("RFC", "8945 §4.3.3")]
    public void The_code_is_that_of_message_and_variables()
    {
        byte[] request = Query(out int octets);
        TsigChain.Request(Key, request, ref octets, Now).Dispose();
        byte[] digested = [.. Unsigned(), .. Variables(Now)];
        Assert.Equal(HMACSHA256.HashData(Secret(32), digested), Mac(request.AsSpan(0, octets)));
    }

    [Fact, Trait("RFC", "8945 §5.3.1")]
    public void Later_responses_sign_the_code_before_them_the_unsigned_ones_and_their_timers()
    {
        (TsigChain client, TsigChain server) = Connected(out byte[] requestMac);
        byte[] first = Signed(server, Now);
        Assert.Equal(
            HMACSHA256.HashData(Secret(32), (byte[])[0, 32, .. requestMac, .. Unsigned(), .. Variables(Now)]),
            Mac(first));
        byte[] second = Signed(server, Now + 1);
        Assert.Equal(HMACSHA256.HashData(Secret(32), (byte[])[0, 32, .. Mac(first), .. Unsigned(), .. Timers(Now + 1)]),
            Mac(second));
        Assert.Equal(TsigVerdict.Good, client.Next(first, Now, out _, out _));
        Assert.Equal(TsigVerdict.Good, client.Next(second, Now, out _, out _));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(TsigChain.MaxUnsigned)]
    public void Messages_in_between_may_be_unsigned(int count)
    {
        (TsigChain client, _) = Connected(out byte[] requestMac);
        byte[] first = SignedByHand([0, 32, .. requestMac, .. Unsigned(), .. Variables(Now)]);
        Assert.Equal(TsigVerdict.Good, client.Next(first, Now, out _, out _));
        for (int i = 0; i < count; i++) Assert.Equal(TsigVerdict.Unsigned, client.Next(Unsigned(), Now, out _, out _));
        byte[] between = [.. Enumerable.Repeat(Unsigned(), count).SelectMany(octets => octets)];
        byte[] last = SignedByHand([0, 32, .. Mac(first), .. between, .. Unsigned(), .. Timers(Now)]);
        Assert.Equal(TsigVerdict.Good, client.Next(last, Now, out _, out _));
        Assert.Equal(TsigVerdict.Unsigned, client.Next(Unsigned(), Now, out _, out _));
    }

    [Fact]
    public void The_hundredth_unsigned_message_in_a_row_ends_it()
    {
        (TsigChain client, TsigChain server) = Connected(out _);
        Assert.Equal(TsigVerdict.Good, client.Next(Signed(server, Now), Now, out _, out _));
        for (int i = 0; i < TsigChain.MaxUnsigned; i++) client.Next(Unsigned(), Now, out _, out _);
        Assert.Equal(TsigVerdict.BadSignature, client.Next(Unsigned(), Now, out _, out _));
    }

    [Fact]
    public void The_first_response_must_be_signed()
    {
        (TsigChain client, _) = Connected(out _);
        Assert.Equal(TsigVerdict.BadSignature, client.Next(Unsigned(), Now, out _, out _));
    }

    [Fact]
    public void A_changed_unsigned_message_spoils_the_next_code()
    {
        (TsigChain client, TsigChain server) = Connected(out _);
        client.Next(Signed(server, Now), Now, out _, out _);
        Assert.Equal(TsigVerdict.Unsigned, client.Next(Unsigned(), Now, out _, out _));
        Assert.Equal(TsigVerdict.BadSignature, client.Next(Signed(server, Now), Now, out _, out _));
    }

    [Fact]
    public void No_octet_of_a_signed_request_can_be_changed()
    {
        byte[] request = Request(Key, Now);
        for (int i = 0; i < request.Length; i++)
        {
            byte[] changed = [.. request];
            changed[i] ^= 1;
            TsigVerdict verdict = TsigChain.Accept(changed, Ring, Now, out TsigChain? chain, out _);
            // The ID on the wire is not signed, the original one is (RFC 8945 §4.3.1).
            if (i < 2) Assert.Equal(TsigVerdict.Good, verdict);
            else Assert.NotEqual(TsigVerdict.Good, verdict);
            chain?.Dispose();
        }
    }

    [Theory]
    [InlineData(-300, TsigVerdict.Good)]
    [InlineData(-301, TsigVerdict.BadTime)]
    [InlineData(300, TsigVerdict.Good)]
    [InlineData(301, TsigVerdict.BadTime)]
    public void The_time_may_be_off_by_the_fudge(int seconds, TsigVerdict verdict)
    {
        Assert.Equal(verdict, TsigChain.Accept(Request(Key, Now), Ring, Now + seconds, out TsigChain? chain, out _));
        Assert.NotNull(chain);
        chain.Dispose();
    }

    [Fact, Trait("RFC", "8945 §5.2.3")]
    public void A_badtime_answer_is_signed_repeats_the_time_of_the_client_and_has_the_servers()
    {
        byte[] request = Query(out int octets);
        using TsigChain client = TsigChain.Request(Key, request, ref octets, Now);
        TsigChain.Accept(request.AsSpan(0, octets), Ring, Now + 3600, out TsigChain? server, out _);
        byte[] response = Query(out int length);
        length = server!.Sign(response, length, Now + 3600, Rcode.BadTime);
        Assert.Equal(TsigVerdict.Good, client.Next(response.AsSpan(0, length), Now, out _, out Rcode error));
        Assert.Equal(Rcode.BadTime, error);
        Assert.Equal(TsigPresence.Present, TsigRecord.Find(response.AsSpan(0, length), out TsigRecord record));
        Assert.Equal(Now, record.TimeSigned);
        Assert.Equal(Now + 3600, BinaryPrimitives.ReadUInt32BigEndian(record.OtherData[2..]));
        Assert.Equal(6, record.OtherData.Length);
        server.Dispose();
    }

    [Fact]
    public void An_unknown_key_or_algorithm_is_badkey()
    {
        Assert.Equal(TsigVerdict.BadKey,
            TsigChain.Accept(Request(Key, Now), TsigKeyRing.Empty, Now, out TsigChain? none, out int offset));
        Assert.Null(none);
        Assert.Equal(Unsigned().Length, offset);
        TsigKeyRing other = new([MakeKey(TsigAlgorithm.HmacSha512)]);
        Assert.Equal(TsigVerdict.BadKey, TsigChain.Accept(Request(Key, Now), other, Now, out _, out _));
    }

    [Fact]
    public void Another_secret_is_badsig_and_leaves_no_chain()
    {
        TsigKey other = new(Key.Name, Key.Algorithm, Secret(31));
        Assert.Equal(TsigVerdict.BadSignature,
            TsigChain.Accept(Request(other, Now), Ring, Now, out TsigChain? chain, out _));
        Assert.Null(chain);
    }

    [Theory, Trait("RFC", "8945 §5.2.2.1")]
    [InlineData(32, TsigVerdict.Good)]
    [InlineData(31, TsigVerdict.BadTruncation)]
    [InlineData(16, TsigVerdict.BadTruncation)]
    [InlineData(15, TsigVerdict.Malformed)]
    [InlineData(0, TsigVerdict.BadSignature)]
    public void A_truncated_code_is_told_from_a_wrong_one(int octets, TsigVerdict verdict)
    {
        Assert.Equal(verdict,
            TsigChain.Accept(WithMac(Request(Key, Now), mac => mac[..octets]), Ring, Now, out TsigChain? chain, out _));
        chain?.Dispose();
    }

    [Fact]
    public void A_code_longer_than_its_hash_is_malformed() =>
        Assert.Equal(TsigVerdict.Malformed,
            TsigChain.Accept(WithMac(Request(Key, Now), mac => [.. mac, 0]), Ring, Now, out _, out _));

    [Fact, Trait("RFC", "8945 §5.1")]
    public void A_record_behind_the_tsig_record_is_malformed()
    {
        byte[] request = [.. Request(Key, Now), .. "\0\0\u0001\0\u0001\0\0\0\0\0\0"u8];
        request[11]++;
        Assert.Equal(TsigVerdict.Malformed, TsigChain.Accept(request, Ring, Now, out _, out _));
    }

    [Fact]
    public void A_message_without_one_is_unsigned() =>
        Assert.Equal(TsigVerdict.Unsigned, TsigChain.Accept(Unsigned(), Ring, Now, out _, out _));

    [Fact]
    public void No_octets_make_it_throw()
    {
        Random random = new(20);
        byte[] request = Request(Key, Now);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] changed = [.. request];
            for (int times = random.Next(1, 6); times > 0; times--)
                changed[random.Next(changed.Length)] = (byte)random.Next();
            TsigChain.Accept(changed.AsSpan(0, random.Next(changed.Length + 1)), Ring, Now,
                out TsigChain? chain, out _);
            chain?.Dispose();
        }
    }

    [Fact]
    public void A_message_without_room_for_the_record_is_a_mistake_of_the_caller()
    {
        byte[] tight = new byte[Unsigned().Length + Key.MaxRecordOctets - 1];
        Unsigned().CopyTo(tight, 0);
        int octets = Unsigned().Length;
        Assert.Throws<ArgumentException>(() => TsigChain.Request(Key, tight, ref octets, Now));
    }

    [Fact]
    public void No_key_has_a_longer_record_than_the_longest()
    {
        string label = new('k', 63);
        DomainName longest = DomainName.Parse($"{label}.{label}.{label}.{label[..61]}.");
        Assert.Equal(WireName.MaxOctets, longest.Octets.Length);
        Assert.Equal(TsigKey.MaxRecordOctetsOfAny,
            Enum.GetValues<TsigAlgorithm>().Max(one => new TsigKey(longest, one, Secret(32)).MaxRecordOctets));
    }

    private static TsigKey MakeKey(TsigAlgorithm algorithm) =>
        new(DomainName.Parse("Key.Example"), algorithm, Secret(32));

    private static byte[] Secret(int octets) => [.. Enumerable.Range(1, octets).Select(i => (byte)i)];

    private static byte[] Unsigned() => QueryMessage.For("www.example. A").ToOctets();

    private static byte[] Query(out int octets)
    {
        byte[] query = Unsigned(), room = new byte[512];
        query.CopyTo(room, 0);
        octets = query.Length;
        return room;
    }

    private static byte[] Request(TsigKey key, long now)
    {
        byte[] request = Query(out int octets);
        TsigChain.Request(key, request, ref octets, now).Dispose();
        return request[..octets];
    }

    private static (TsigChain Client, TsigChain Server) Connected(out byte[] requestMac)
    {
        byte[] request = Query(out int octets);
        TsigChain client = TsigChain.Request(Key, request, ref octets, Now);
        TsigChain.Accept(request.AsSpan(0, octets), Ring, Now, out TsigChain? server, out _);
        requestMac = Mac(request.AsSpan(0, octets));
        return (client, server!);
    }

    private static byte[] Signed(TsigChain chain, long now)
    {
        byte[] message = Query(out int octets);
        return message[..chain.Sign(message, octets, now)];
    }

    private static byte[] SignedByHand(byte[] digested)
    {
        byte[] code = HMACSHA256.HashData(Secret(32), digested);
        return WithMac(Request(Key, Now), _ => code);
    }

    private static byte[] Mac(ReadOnlySpan<byte> message)
    {
        Assert.Equal(TsigPresence.Present, TsigRecord.Find(message, out TsigRecord record));
        return record.Mac.ToArray();
    }

    private static byte[] WithMac(byte[] message, Func<byte[], byte[]> change)
    {
        // Behind the code: original ID, error, other length. Before it: its length.
        int end = message.Length - 6, start = end - 32,
            rdataLength = start - 10 - Key.Algorithm.NameOctets().Length - 2;
        byte[] mac = change(message[start..end]);
        byte[] changed = [.. message[..(start - 2)], 0, (byte)mac.Length, .. mac, .. message[end..]];
        changed[rdataLength + 1] += (byte)(mac.Length - 32);
        return changed;
    }

    private static byte[] Timers(long now) =>
        [(byte)(now >> 40), (byte)(now >> 32), (byte)(now >> 24), (byte)(now >> 16), (byte)(now >> 8),
            (byte)now, 1, 0x2C];

    private static byte[] Variables(long now) =>
        [.. "\u0003key\u0007example\0"u8, 0, 255, 0, 0, 0, 0, .. "\u000bhmac-sha256\0"u8, .. Timers(now), 0, 0, 0, 0];
}

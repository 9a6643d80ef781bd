using System.Buffers;
using System.Net;
using Dns.Testing;

namespace Dns.Telemetry.Tests;

/// <summary>Single answers as dnstap, and the numbers they are written with.</summary>
public class DnstapMessageTests
{
    private const int AuthResponse = 2, ClientResponse = 6;

    [Theory]
    [InlineData(AnswerOrigin.Datagram, 0, AuthResponse)]
    [InlineData(AnswerOrigin.Datagram, MessageHeader.AuthoritativeAnswer, AuthResponse)]
    [InlineData(AnswerOrigin.Datagram, MessageHeader.RecursionAvailable, ClientResponse)]
    [InlineData(AnswerOrigin.Forwarded, MessageHeader.AuthoritativeAnswer, ClientResponse)]
    [InlineData(AnswerOrigin.Forwarded, 0, ClientResponse)]
    internal void An_answer_is_ours_unless_it_comes_from_others(AnswerOrigin source, int flags, int type) =>
        Assert.Equal((ulong)type, (ulong)MessageOf(Answer(40, flags), source)[1]);

    [Theory]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(129)]
    [InlineData(16_384)]
    public void An_answer_of_any_length_is_whole(int octets) =>
        Assert.Equal(octets, ((byte[])MessageOf(Answer(octets, 0), AnswerOrigin.Datagram)[14]).Length);

    [Theory]
    [InlineData(127, "087F")]
    [InlineData(128, "088001")]
    [InlineData(255, "08FF01")]
    [InlineData(16_384, "08808001")]
    public void Numbers_have_seven_bits_an_octet(ulong number, string octets)
    {
        ArrayBufferWriter<byte> output = new();
        ProtocolBuffer.WriteNumber(output, 1, number);
        Assert.Equal(octets, Convert.ToHexString(output.WrittenSpan));
    }

    private static byte[] Answer(int octets, int flags)
    {
        byte[] answer = new byte[octets];
        MessageHeader.SetFlags(answer, (ushort)(MessageHeader.QueryResponse | flags));
        return answer;
    }

    private static Dictionary<int, object> MessageOf(byte[] answer, AnswerOrigin source)
    {
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        AnswerRecord record = new();
        record.Fill(answer, ref client, new AnswerFacts(source, DnsTransport.Udp, 0, 10));
        ArrayBufferWriter<byte> output = new();
        new DnstapMessage(null, "test").Write(output, record, DateTimeOffset.UnixEpoch, TimeSpan.Zero);
        return DnstapReading.Fields((byte[])DnstapReading.Fields(output.WrittenSpan)[14]);
    }
}

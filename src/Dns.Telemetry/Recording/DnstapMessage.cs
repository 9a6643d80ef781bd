using System.Buffers;

namespace Dns.Telemetry.Recording;

/// <summary>Writes answers as dnstap messages (dnstap.proto), with addresses, times and the server.</summary>
/// <param name="identity">The server's; null = left out.</param>
public sealed class DnstapMessage(string? identity, string version)
{
    private const int MessageType = 1, AuthResponse = 2, ClientResponse = 6;

    private readonly byte[]? _identity = identity is null ? null : Encoding.UTF8.GetBytes(identity);
    private readonly byte[] _version = Encoding.UTF8.GetBytes(version);
    private readonly ArrayBufferWriter<byte> _message = new(2048);

    public void Write(IBufferWriter<byte> output, AnswerRecord record, DateTimeOffset at, TimeSpan took)
    {
        _message.ResetWrittenCount();
        ReadOnlySpan<byte> octets = record.Message;
        bool isIPv4 = record.Client.IsIPv4;
        ProtocolBuffer.WriteNumber(_message, 1, (ulong)(IsOurs(record) ? AuthResponse : ClientResponse));
        ProtocolBuffer.WriteNumber(_message, 2, isIPv4 ? 1u : 2u);
        ProtocolBuffer.WriteNumber(_message, 3, ProtocolOf(record.Facts.Transport));
        ProtocolBuffer.WriteOctets(_message, 4, isIPv4 ? record.Client.Address[12..] : record.Client.Address);
        ProtocolBuffer.WriteNumber(_message, 6, record.Client.Port);
        WriteTime(8, at);
        WriteTime(12, at + took);
        ProtocolBuffer.WriteOctets(_message, 14, octets);
        if (_identity is not null) ProtocolBuffer.WriteOctets(output, 1, _identity);
        ProtocolBuffer.WriteOctets(output, 2, _version);
        ProtocolBuffer.WriteOctets(output, 14, _message.WrittenSpan);
        ProtocolBuffer.WriteNumber(output, 15, MessageType);
    }

    /// <summary>The number of a transport in dnstap.proto's SocketProtocol.</summary>
    private static ulong ProtocolOf(DnsTransport transport) => transport.Kind switch
    {
        TransportKind.Udp => 1,
        TransportKind.Tcp => 2,
        TransportKind.Tls => 3,
        TransportKind.Https => 4,
        _ => 7,
    };

    /// <summary>What comes from others is said by a resolver to its client, all else by an authority.</summary>
    private static bool IsOurs(AnswerRecord record)
    {
        const int either = MessageHeader.AuthoritativeAnswer | MessageHeader.RecursionAvailable;
        return record.Facts.Source != AnswerOrigin.Forwarded
            && (MessageHeader.Flags(record.Message) & either) != MessageHeader.RecursionAvailable;
    }

    /// <summary>Seconds and, as the next field, nanoseconds.</summary>
    private void WriteTime(int field, DateTimeOffset time)
    {
        ProtocolBuffer.WriteNumber(_message, field, (ulong)time.ToUnixTimeSeconds());
        ProtocolBuffer.WriteFixed32(_message, field + 1, (uint)(time.Ticks % TimeSpan.TicksPerSecond * 100));
    }
}

using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>A question for <c>dnsd query</c>.</summary>
/// <param name="Name">What is asked about.</param>
/// <param name="Type">Which records.</param>
/// <param name="Class">Which class.</param>
/// <param name="Server">Address or host name of the server.</param>
/// <param name="Port">Its port.</param>
internal sealed record QueryRequest(DomainName Name, RRType Type, RRClass Class, string Server, int Port)
{
    /// <summary>The UDP payload that is offered (RFC 9715 asks for no more than 1400).</summary>
    public const ushort PayloadOctets = 1232;

    private const int OptOctets = 11;
    private const ushort DnssecOk = 0x8000;

    /// <summary>Whether to ask for DNSSEC records (the flag DO).</summary>
    public bool IsDnssec { get; init; }

    /// <summary>Whether to ask over TCP from the start.</summary>
    public bool IsTcp { get; init; }

    /// <summary>Whether to ask the server for its identifier (NSID, RFC 5001).</summary>
    public bool AsksIdentity { get; init; }

    /// <summary>How long to wait for each try.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>The query in wire form (RFC 1035 §4.1, RFC 6891 §6.1).</summary>
    public byte[] ToMessage(ushort id)
    {
        int identityOctets = AsksIdentity ? 4 : 0;
        byte[] message = new byte[MessageHeader.LengthOctets + Name.Octets.Length + 4 + OptOctets + identityOctets];
        BinaryPrimitives.WriteUInt16BigEndian(message, id);
        MessageHeader.SetFlags(message, MessageHeader.RecursionDesired);
        MessageHeader.SetCount(message, 0, 1);
        MessageHeader.SetCount(message, 3, 1);
        Name.Octets.CopyTo(message.AsSpan(MessageHeader.LengthOctets));
        Span<byte> rest = message.AsSpan(MessageHeader.LengthOctets + Name.Octets.Length);
        BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)Type);
        BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)Class);
        Span<byte> opt = rest[4..];
        BinaryPrimitives.WriteUInt16BigEndian(opt[1..], (ushort)RRType.OPT);
        BinaryPrimitives.WriteUInt16BigEndian(opt[3..], PayloadOctets);
        BinaryPrimitives.WriteUInt16BigEndian(opt[7..], IsDnssec ? DnssecOk : (ushort)0);
        BinaryPrimitives.WriteUInt16BigEndian(opt[9..], (ushort)identityOctets);
        if (AsksIdentity) BinaryPrimitives.WriteUInt16BigEndian(opt[11..], (ushort)EdnsOptionCode.Nsid);
        return message;
    }

    /// <summary>Whether a message is a reply to the query with this ID: the question has to be the same.</summary>
    public bool IsAnsweredBy(ReadOnlySpan<byte> message, ushort id)
    {
        if (message.Length < MessageHeader.LengthOctets || MessageHeader.Id(message) != id) return false;
        if ((MessageHeader.Flags(message) & MessageHeader.QueryResponse) == 0) return false;
        // An error may come without the question.
        if (MessageHeader.Count(message, 0) == 0) return true;
        int position = MessageHeader.LengthOctets;
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        return WireName.TryExpand(message, ref position, name, out int length)
            && position + 4 <= message.Length
            && WireName.EqualsIgnoreCase(name[..length], Name.Octets)
            && BinaryPrimitives.ReadUInt16BigEndian(message[position..]) == (ushort)Type
            && BinaryPrimitives.ReadUInt16BigEndian(message[(position + 2)..]) == (ushort)Class;
    }
}

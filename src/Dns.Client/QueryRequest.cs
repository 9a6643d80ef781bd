namespace Dns.Client;

/// <summary>A question for <c>dnsd query</c>.</summary>
/// <param name="Server">Address or host name of the server.</param>
public sealed record QueryRequest(DomainName Name, RRType Type, RRClass Class, string Server, int Port)
{
    /// <summary>The announced UDP payload (RFC 9715 recommends at most 1400).</summary>
    public const ushort PayloadOctets = 1232;

    private const int MaxQueryOctets = 512;

    /// <summary>Whether to request DNSSEC records (the flag DO).</summary>
    public bool IsDnssec { get; init; }

    /// <summary>Whether a server that validates is to send what it takes for bogus too (the flag CD).</summary>
    public bool IsCheckingDisabled { get; init; }

    /// <summary>Whether to ask over TCP from the start.</summary>
    public bool IsTcp { get; init; }

    /// <summary>Whether to ask the server for its identifier (NSID, RFC 5001).</summary>
    public bool RequestsNsid { get; init; }

    /// <summary>How long to wait for each try.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>The key that the query is signed with; null = it is not signed.</summary>
    public TsigKey? Key { get; init; }

    /// <summary>For IXFR: the serial from which differences are requested.</summary>
    public uint FromSerial { get; init; }

    /// <summary>Whether it is a zone transfer, so that the reply may be many messages.</summary>
    public bool IsTransfer => Type is RRType.AXFR or RRType.IXFR;

    /// <summary>The query in wire form (RFC 1035 §4.1, RFC 6891 §6.1).</summary>
    public byte[] ToMessage(ushort id)
    {
        byte[] message = new byte[MaxQueryOctets];
        MessageWriter writer = new(message, names: null);
        int checking = IsCheckingDisabled ? MessageHeader.CheckingDisabled : 0;
        writer.WriteHeader(id, IsTransfer ? (ushort)0 : (ushort)(MessageHeader.RecursionDesired | checking));
        writer.TryWriteQuestion(Name.Octets, Type, Class);
        if (Type == RRType.IXFR) WriteSerial(ref writer);
        writer.BeginOpt(PayloadOctets, dnssecOk: IsDnssec);
        if (RequestsNsid) writer.WriteOption(EdnsOptionCode.Nsid, []);
        writer.TryEnd();
        return message[..writer.Finish()];
    }

    /// <summary>Whether a message is a reply to the query with this ID: the question has to be the same.</summary>
    public bool IsAnsweredBy(ReadOnlySpan<byte> message, ushort id)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader) || reader.Id != id || !reader.IsResponse)
            return false;
        // An error may come without the question.
        if (reader.Count(MessageSection.Question) == 0) return true;
        return reader.TryReadQuestion(out QuestionReader question)
            && question.TryGetName(out ReadOnlySpan<byte> name)
            && WireName.EqualsIgnoreCase(name, Name.Octets)
            && question.Type == Type
            && question.Class == Class;
    }

    /// <summary>The SOA of the version that is there (RFC 1995 §3), with nothing but its serial.</summary>
    private void WriteSerial(ref MessageWriter writer)
    {
        Span<byte> rdata = stackalloc byte[2 + 5 * sizeof(uint)];
        rdata.Clear();
        BinaryPrimitives.WriteUInt32BigEndian(rdata[2..], FromSerial);
        writer.TryWrite(MessageSection.Authority, Name.Octets, RRType.SOA, Class, 0, rdata);
    }
}

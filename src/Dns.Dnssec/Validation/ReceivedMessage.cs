namespace Dns.Dnssec.Validation;

/// <summary>A reply as RRsets. A message that cannot be read completely is refused.</summary>
internal sealed class ReceivedMessage
{
    private readonly Dictionary<(MessageSection Section, RRType Type, string Owner), ReceivedRRset> _index = [];
    private readonly List<ReceivedRRset> _rrsets = [];

    private ReceivedMessage(Rcode rcode, bool isAuthoritative) => (Rcode, IsAuthoritative) = (rcode, isAuthoritative);

    internal Rcode Rcode { get; }

    internal bool IsAuthoritative { get; }

    internal IReadOnlyList<ReceivedRRset> RRsets => _rrsets;

    /// <summary>Reads a reply to a question; null if it is malformed, truncated, or does not match.</summary>
    internal static ReceivedMessage? TryRead(ReadOnlySpan<byte> octets, ReadOnlySpan<byte> name, RRType type)
    {
        if (!MessageReader.TryOpen(octets, out MessageReader reader) || !reader.IsResponse) return null;
        if ((reader.Flags & MessageHeader.Truncated) != 0 || !IsQuestion(ref reader, name, type)) return null;
        ReceivedMessage message = new(reader.HeaderRcode, (reader.Flags & MessageHeader.AuthoritativeAnswer) != 0);
        RecordReader records = reader.ReadRecords();
        byte[] owner = new byte[WireName.MaxOctets], rdata = new byte[Rdata.MaxOctets];
        while (records.TryRead())
        {
            if (records.Type == RRType.OPT || records.IsLastTsig) continue;
            if (records.Class != RRClass.IN || !records.TryExpandOwner(owner, out int length)) return null;
            if (!records.TryReadRdata(rdata, out int rdataOctets)) return null;
            WireName.ToLower(owner.AsSpan(0, length), owner.AsSpan(0, length));
            message.Add(records.Section, owner.AsSpan(0, length), records.Type, rdata.AsSpan(0, rdataOctets));
        }
        return records.IsMalformed ? null : message;
    }

    /// <summary>Finds an RRset; null if it does not exist, or has only signatures.</summary>
    internal ReceivedRRset? Find(MessageSection section, ReadOnlySpan<byte> owner, RRType type) =>
        _index.TryGetValue((section, type, Key(owner)), out ReceivedRRset? found) && found.Rdata.Count > 0
            ? found : null;

    private static bool IsQuestion(ref MessageReader reader, ReadOnlySpan<byte> name, RRType type)
    {
        if (reader.Count(MessageSection.Question) != 1 || !reader.TryReadQuestion(out QuestionReader question))
            return false;
        Span<byte> queried = stackalloc byte[WireName.MaxOctets];
        int position = MessageHeader.LengthOctets;
        return question.Type == type && WireName.TryExpand(reader.Octets, ref position, queried, out int length)
            && WireName.EqualsIgnoreCase(queried[..length], name);
    }

    private void Add(MessageSection section, ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata)
    {
        bool isSignature = type == RRType.RRSIG && rdata.Length > 1;
        RRType of = isSignature ? (RRType)(rdata[0] << 8 | rdata[1]) : type;
        (MessageSection, RRType, string) key = (section, of, Key(owner));
        if (!_index.TryGetValue(key, out ReceivedRRset? rrset))
        {
            rrset = new ReceivedRRset(section, owner.ToArray(), of);
            _index.Add(key, rrset);
            _rrsets.Add(rrset);
        }
        (isSignature ? rrset.Signatures : rrset.Rdata).Add(rdata.ToArray());
    }

    private static string Key(ReadOnlySpan<byte> owner)
    {
        Span<byte> lower = stackalloc byte[WireName.MaxOctets];
        WireName.ToLower(owner, lower[..owner.Length]);
        return Encoding.Latin1.GetString(lower[..owner.Length]);
    }
}

using System.Text;

namespace Dns.Testing;

/// <summary>A response, read strictly, with a text to compare it by.</summary>
public sealed class Reply
{
    private readonly List<MessageRecord>[] _sections = [[], [], []];

    private Reply(byte[] octets, bool isForeign)
    {
        Octets = octets;
        Flags = MessageHeader.Flags(octets);
        MessageParser parser = new(octets, isForeign);
        if (MessageHeader.Count(octets, 0) > 1) throw new InvalidDataException("more than one question");
        byte[] question = [];
        if (MessageHeader.Count(octets, 0) == 1) parser.ReadQuestion(out question);
        Question = question;
        for (int section = 0; section < 3; section++)
            for (int i = MessageHeader.Count(octets, section + 1); i > 0; i--) Add(parser.ReadRecord(), section);
        parser.End();
    }

    /// <summary>The whole message.</summary>
    public byte[] Octets { get; }

    /// <summary>The second sixteen bits of the header.</summary>
    public ushort Flags { get; }

    /// <summary>The question's octets; empty if there is none.</summary>
    public byte[] Question { get; }

    /// <summary>The answer section.</summary>
    public IReadOnlyList<MessageRecord> Answer => _sections[0];

    /// <summary>The authority section.</summary>
    public IReadOnlyList<MessageRecord> Authority => _sections[1];

    /// <summary>The additional section without OPT and TSIG.</summary>
    public IReadOnlyList<MessageRecord> Additional => _sections[2];

    /// <summary>The OPT record.</summary>
    public MessageRecord? Opt { get; private set; }

    /// <summary>The TSIG record.</summary>
    public MessageRecord? Tsig { get; private set; }

    /// <summary>The code, with the upper bits of OPT.</summary>
    public Rcode Rcode => (Rcode)(Flags & MessageHeader.RcodeMask | (int)((Opt?.Ttl ?? 0) >> 24) << 4);

    /// <summary>TC.</summary>
    public bool IsTruncated => (Flags & MessageHeader.Truncated) != 0;

    /// <summary>The size announced in OPT, in octets; 0 without OPT.</summary>
    public int Payload => Opt is null ? 0 : (int)Opt.Class;

    /// <summary>The code and the flags that are set, such as <c>NOERROR aa rd</c>.</summary>
    public string Header
    {
        get
        {
            StringBuilder text = new(RcodeText.Format(Rcode));
            (int Bit, string Name)[] flags =
                [(0x400, "aa"), (0x200, "tc"), (0x100, "rd"), (0x80, "ra"), (0x40, "z"), (0x20, "ad"), (0x10, "cd")];
            foreach ((int bit, string name) in flags)
                if ((Flags & bit) != 0) text.Append(' ').Append(name);
            return text.ToString();
        }
    }

    /// <summary>The options of OPT in their order: mnemonic or number, and the data in hexadecimal digits.</summary>
    public IReadOnlyList<string> Options
    {
        get
        {
            List<string> options = [];
            byte[] rdata = Opt?.Rdata ?? [];
            for (int i = 0; i < rdata.Length;)
            {
                int code = rdata[i] << 8 | rdata[i + 1], length = rdata[i + 2] << 8 | rdata[i + 3];
                options.Add($"{(EdnsOptionCode)code} {Convert.ToHexString(rdata, i + 4, length)}".TrimEnd());
                i += 4 + length;
            }
            return options;
        }
    }

    /// <summary>Reads a response.</summary>
    /// <exception cref="InvalidDataException">It is not one that may be sent; the message says why.</exception>
    /// <param name="octets">The message.</param>
    /// <param name="isForeign">
    /// Whether another server wrote it, which may point to whatever octets spell the name.
    /// </param>
    public static Reply Read(byte[] octets, bool isForeign = false)
    {
        if (octets.Length < MessageHeader.LengthOctets) throw new InvalidDataException("shorter than a header");
        Reply reply = new(octets, isForeign);
        if ((reply.Flags & MessageHeader.QueryResponse) == 0) throw new InvalidDataException("QR is not set");
        return reply;
    }

    /// <summary>The lines of <see cref="ToString"/>: the header, then one record a line behind its section.</summary>
    public IReadOnlyList<string> Lines =>
    [
        Header, .. Answer.Select(record => $"answer {record}"), .. Authority.Select(record => $"authority {record}"),
        .. Additional.Select(record => $"additional {record}"),
    ];

    /// <inheritdoc/>
    public override string ToString() => string.Join('\n', Lines);

    private void Add(MessageRecord record, int section)
    {
        if (record.Type is not (RRType.OPT or RRType.TSIG))
        {
            if (Tsig is not null) throw new InvalidDataException("a record behind TSIG");
            _sections[section].Add(record);
            return;
        }
        if (section != 2) throw new InvalidDataException($"{record.Type} in section {section}");
        if ((record.Type == RRType.OPT ? Opt : Tsig) is not null) throw new InvalidDataException($"two {record.Type}");
        if (record.Type == RRType.OPT) Opt = record;
        else Tsig = record;
    }
}

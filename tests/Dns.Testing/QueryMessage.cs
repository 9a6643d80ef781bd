namespace Dns.Testing;

/// <summary>A query put together piece by piece; also one that no client should send.</summary>
public sealed record QueryMessage
{
    private static readonly int[] NoCounts = [];

    /// <summary>The ID.</summary>
    public ushort Id { get; init; } = 0x2A17;

    /// <summary>Flags, opcode and RCODE: the second sixteen bits of the header.</summary>
    public ushort Flags { get; init; }

    /// <summary>The question section.</summary>
    public byte[] Question { get; init; } = [];

    /// <summary>Records for the answer section.</summary>
    public byte[][] Answer { get; init; } = [];

    /// <summary>Records for the authority section.</summary>
    public byte[][] Authority { get; init; } = [];

    /// <summary>Records for the additional section.</summary>
    public byte[][] Additional { get; init; } = [];

    /// <summary>Octets behind the last record.</summary>
    public byte[] Tail { get; init; } = [];

    /// <summary>The four counts, if they differ from the content of the message.</summary>
    public int[] Counts { get; init; } = NoCounts;

    /// <summary>Reads <c>NAME [TYPE [CLASS]]</c>; the defaults are A and IN.</summary>
    public static QueryMessage For(string question)
    {
        string[] words = question.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        RRType type = RRType.A;
        RRClass rrClass = RRClass.IN;
        bool isGood = (words.Length < 2 || RRTypeText.TryParse(Ascii(words[1]), out type))
            && (words.Length < 3 || RRClassText.TryParse(Ascii(words[2]), out rrClass));
        if (!isGood) throw new FormatException($"\"{question}\" is not NAME [TYPE [CLASS]]");
        return new QueryMessage { Question = WireOctets.Question(words[0], type, rrClass) };
    }

    /// <summary>The query with an OPT record.</summary>
    /// <param name="payload">The size announced, in octets.</param>
    /// <param name="dnssecOk">DO.</param>
    /// <param name="options">EDNS options as octets.</param>
    public QueryMessage WithEdns(int payload = 1232, bool dnssecOk = false, params byte[][] options) =>
        With(WireOctets.Opt(payload, 0, dnssecOk ? 0x8000 : 0, options));

    /// <summary>The query with an OPT of 1,232 octets and one option.</summary>
    public QueryMessage WithOption(EdnsOptionCode code, string hex = "") =>
        WithEdns(options: WireOctets.Option(code, WireOctets.Hex(hex)));

    /// <summary>The query with one more record in the additional section.</summary>
    public QueryMessage With(byte[] record) => this with { Additional = [.. Additional, record] };

    /// <summary>The message.</summary>
    public byte[] ToOctets()
    {
        int[] counts = Counts.Length == 4
            ? Counts : [Question.Length == 0 ? 0 : 1, Answer.Length, Authority.Length, Additional.Length];
        return
        [
            .. WireOctets.UInt16(Id), .. WireOctets.UInt16(Flags), .. counts.SelectMany(WireOctets.UInt16), .. Question,
            .. Answer.Concat(Authority).Concat(Additional).SelectMany(record => record), .. Tail,
        ];
    }

    private static byte[] Ascii(string text) => System.Text.Encoding.ASCII.GetBytes(text);
}

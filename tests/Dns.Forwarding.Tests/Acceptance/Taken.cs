using Dns.Testing;

namespace Dns.Forwarding.Tests;

/// <summary>What was taken over from a reply, as text.</summary>
internal sealed record Taken(ReplyVerdict Verdict, string Text, uint LifetimeSeconds, AcceptedAnswer Answer)
{
    public static readonly AcceptanceRules Plain = new(DomainName.Root, new CacheOptions());

    /// <summary>Reads a reply to <c>NAME TYPE</c>.</summary>
    public static Taken From(
        string question, byte[] reply, AcceptanceRules? rules = null, QuestionFlags flags = 0, bool trust = false,
        AcceptedAnswer? answer = null)
    {
        byte[] asked = QueryMessage.For(question).Question;
        LookupName name = default;
        name.Set(asked.AsSpan(0, asked.Length - 4));
        Question about =
            new(in name, (RRType)(asked[^4] << 8 | asked[^3]), (RRClass)(asked[^2] << 8 | asked[^1]), flags);
        answer ??= new AcceptedAnswer();
        ReplyVerdict verdict = ReplyReader.Read(in about, reply, rules ?? Plain, trust, answer);
        return new Taken(
            verdict, verdict == ReplyVerdict.Accepted ? Format(asked, answer.Header, answer.Records) : "",
            answer.LifetimeSeconds, answer);
    }

    /// <summary>Reads a reply that is given as text.</summary>
    public static Taken From(string question, params string[] lines) =>
        From(question, ReplyText.Build(question, lines));

    /// <summary>With DO.</summary>
    public static Taken Signed(string question, params string[] lines) =>
        From(question, ReplyText.Build(question, lines), flags: QuestionFlags.DnssecOk);

    /// <summary>Header and records behind a question, read strictly, one a line; the first line is the code.</summary>
    public static string Format(byte[] question, RelayedAnswer header, ReadOnlySpan<byte> records)
    {
        if (header.Octets != records.Length) throw new InvalidDataException("the length of the header is wrong");
        byte[] message =
        [
            .. new byte[12], .. question, .. records,
        ];
        MessageHeader.SetFlags(message, (ushort)(MessageHeader.QueryResponse
            | (header.AuthenticData ? MessageHeader.AuthenticData : 0) | (ushort)header.Rcode));
        MessageHeader.SetCount(message, 0, 1);
        MessageHeader.SetCount(message, 1, header.AnswerCount);
        MessageHeader.SetCount(message, 2, header.AuthorityCount);
        MessageHeader.SetCount(message, 3, header.AdditionalCount);
        return Reply.Read(message).ToString();
    }
}

using Dns.Testing;

namespace Dns.Forwarding.Tests;

/// <summary>A cache with its clock, spoken to in text.</summary>
internal sealed class TextCache : IDisposable
{
    private readonly AcceptedAnswer _accepted = new();
    private readonly byte[] _destination = new byte[65535];

    public TextCache(CacheOptions? options = null)
    {
        Options = options ?? new CacheOptions { MaxBytes = 4 << 20 };
        Cache = new AnswerCache(Options, Clock);
    }

    public CacheOptions Options { get; }

    public VirtualClock Clock { get; } = new();

    public AnswerCache Cache { get; }

    /// <summary>Stores the content of a reply.</summary>
    public void Store(string question, string[] lines, QuestionFlags flags = 0) => With(question, flags, about =>
    {
        byte[] reply = ReplyText.Build(question, lines);
        if (ReplyReader.Read(in about, reply, new AcceptanceRules(DomainName.Root, Options), true, _accepted)
            != ReplyVerdict.Accepted)
            throw new InvalidDataException("not accepted");
        Cache.Store(in about, _accepted);
    });

    public void Store(string question, params string[] lines) => Store(question, lines, 0);

    public void Fail(string question, ExtendedErrorCode error = ExtendedErrorCode.NoReachableAuthority,
        bool isOutage = false) =>
        With(question, 0, about => Cache.StoreFailure(in about, error, isOutage));

    /// <summary>The state, and the answer as text if there is one; the extended error follows the RCODE.</summary>
    public string Ask(string question, QuestionFlags flags = 0, int room = 65535, int zoneLabels = 0)
    {
        string text = "";
        With(question, flags, about =>
        {
            Span<byte> destination = _destination.AsSpan(0, room);
            CacheState state = Cache.TryCopy(in about, Clock.GetTimestamp(), destination, out RelayedAnswer answer);
            if (state is CacheState.Miss or CacheState.Stale &&
                Cache.TryCopyAbove(in about, zoneLabels, destination, out answer))
                state = CacheState.Fresh;
            text = state is CacheState.Miss or CacheState.Stale ? $"{state}" : $"{state} {Text(question, answer)}";
        });
        return text;
    }

    /// <summary>The stale answer as text; "nothing" if there is none.</summary>
    public string AskStale(string question)
    {
        string text = "";
        With(question, 0, about =>
            text = Cache.TryCopyStale(in about, _destination, out RelayedAnswer answer)
                ? Text(question, answer) : "nothing");
        return text;
    }

    public void Dispose() => Cache.Dispose();

    private string Text(string question, RelayedAnswer answer)
    {
        string text = Taken.Format(QueryMessage.For(question).Question, answer, _destination.AsSpan(0, answer.Octets));
        string notes = $"{(answer.DoesNotFit ? " too long" : "")}{(answer.Error is { } error ? $" ({error})" : "")}";
        int end = text.IndexOf('\n');
        return end < 0 ? text + notes : text[..end] + notes + text[end..];
    }

    private delegate void About(scoped Question question);

    private static void With(string question, QuestionFlags flags, About action)
    {
        byte[] asked = QueryMessage.For(question).Question;
        LookupName name = default;
        name.Set(asked.AsSpan(0, asked.Length - 4));
        action(
            new Question(in name, (RRType)(asked[^4] << 8 | asked[^3]), (RRClass)(asked[^2] << 8 | asked[^1]), flags));
    }
}

namespace Dns.Bench;

/// <summary>Encoded queries in one array, each with its expected answer.</summary>
internal sealed class QuerySet
{
    // Behind the question: owner, type, class, TTL and length of the first record.
    private const int PreferenceOffset = 12;

    private readonly byte[] _octets;
    private readonly int[] _starts;
    private readonly Expectation[] _expectations;

    internal QuerySet(IReadOnlyCollection<Question> questions, bool edns, bool dnssecOk, bool recursion = false,
        bool cookies = false)
    {
        if (questions.Count == 0) throw new UsageException("there are no queries");
        _starts = new int[questions.Count + 1];
        _expectations = new Expectation[questions.Count];
        using MemoryStream octets = new();
        int i = 0;
        foreach (Question question in questions)
        {
            octets.Write(QueryText.Encode(question.Name, question.Type, edns, dnssecOk, recursion, cookies));
            _expectations[i] = question.Expectation;
            _starts[++i] = (int)octets.Length;
        }
        _octets = octets.ToArray();
        OptOctets = cookies ? QueryText.CookieOptOctets : edns || dnssecOk ? QueryText.OptOctets : 0;
    }

    internal int Count => _expectations.Length;

    /// <summary>Length of the OPT record of each query; 0 without one.</summary>
    internal int OptOctets { get; }

    internal ReadOnlySpan<byte> this[int index] => _octets.AsSpan(_starts[index].._starts[index + 1]);

    internal Expectation Expectation(int index) => _expectations[index];

    /// <summary>Whether an answer matches the query with this index and its expectation.</summary>
    internal bool IsExpected(int index, ReadOnlySpan<byte> answer)
    {
        Expectation expectation = _expectations[index];
        if (expectation == Bench.Expectation.Any) return true;
        ReadOnlySpan<byte> query = this[index];
        int question = query.Length - OptOctets - MessageHeader.LengthOctets;
        if (answer.Length < MessageHeader.LengthOctets + question) return false;
        if (!answer.Slice(MessageHeader.LengthOctets, question)
            .SequenceEqual(query.Slice(MessageHeader.LengthOctets, question)))
            return false;
        ushort flags = MessageHeader.Flags(answer);
        if ((flags & MessageHeader.QueryResponse) == 0) return false;
        Rcode wanted = expectation == Bench.Expectation.NameError ? Rcode.NXDomain : Rcode.NoError;
        if ((flags & MessageHeader.RcodeMask) != (int)wanted) return false;
        bool hasAnswer = MessageHeader.Count(answer, 1) > 0;
        if (expectation == Bench.Expectation.OneVersion)
            return hasAnswer &&
                answer.Slice(MessageHeader.LengthOctets + question + PreferenceOffset, 2).SequenceEqual(answer[^2..]);
        return hasAnswer == (expectation == Bench.Expectation.Positive)
            && (hasAnswer || MessageHeader.Count(answer, 2) > 0);
    }

    /// <summary>The same queries without expectations, for an echo.</summary>
    internal void ExpectAnything() => Array.Clear(_expectations);
}

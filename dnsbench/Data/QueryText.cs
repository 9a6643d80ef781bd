using System.Text;

namespace Dns.Bench;

/// <summary>Queries in wire form.</summary>
internal static class QueryText
{
    internal const int OptOctets = 11;
    internal const int CookieOptOctets = OptOctets + 4 + CookieOctets;

    private const int CookieOctets = 8;
    private const ushort PayloadOctets = 1232;

    private static ReadOnlySpan<byte> ClientCookie => "ZZZZZZZZ"u8;

    /// <summary>A query; ID 0.</summary>
    internal static byte[] Encode(
        string name, RRType type, bool edns = false, bool dnssecOk = false, bool recursion = false,
        bool cookies = false)
    {
        Span<byte> message = stackalloc byte[512], owner = stackalloc byte[WireName.MaxOctets];
        if (!NameText.TryParse(name, owner, out int length)) throw new UsageException($"\"{name}\" is no name");
        MessageWriter writer = new(message, names: null);
        writer.WriteHeader(0, recursion ? MessageHeader.RecursionDesired : (ushort)0);
        writer.TryWriteQuestion(owner[..length], type, RRClass.IN);
        if (edns || dnssecOk || cookies)
        {
            writer.BeginOpt(PayloadOctets, dnssecOk: dnssecOk);
            if (cookies) writer.WriteOption(EdnsOptionCode.Cookie, ClientCookie);
            writer.TryEnd();
        }
        return message[..writer.Finish()].ToArray();
    }

    /// <summary>Shorter names first, else in the order they come in: neighbours have one length.</summary>
    internal static Question[] ByLength(IEnumerable<Question> questions) =>
        [.. questions.OrderBy(question => question.Name.Length)];

    /// <summary>Reads a file of lines "NAME TYPE", as dnsperf has them.</summary>
    internal static IEnumerable<Question> ReadFile(string file)
    {
        int number = 0;
        foreach (string line in File.ReadLines(file))
        {
            number++;
            string[] words = line.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 0 || words[0][0] is '#' or ';') continue;
            if (words.Length < 2 || !RRTypeText.TryParse(Encoding.ASCII.GetBytes(words[1]), out RRType type))
                throw new UsageException($"{file}:{number}: expected a name and a type");
            yield return new Question(words[0], type, Expectation.Any);
        }
    }
}

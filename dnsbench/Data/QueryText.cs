using System.Buffers.Binary;
using System.Text;
using Dns.Protocol;

namespace Dns.Bench;

/// <summary>Queries in wire form.</summary>
internal static class QueryText
{
    internal const int OptOctets = 11;
    internal const int CookieOptOctets = OptOctets + 4 + CookieOctets;

    private const int CookieOctets = 8;

    /// <summary>A query; ID 0.</summary>
    internal static byte[] Encode(
        string name, RRType type, bool edns = false, bool dnssecOk = false, bool recursion = false,
        bool cookies = false)
    {
        Span<byte> message = stackalloc byte[512];
        message.Clear();
        MessageHeader.SetCount(message, 0, 1);
        if (recursion) MessageHeader.SetFlags(message, MessageHeader.RecursionDesired);
        if (!NameText.TryParse(name, message[12..], out int length)) throw new UsageException($"\"{name}\" is no name");
        int end = 12 + length;
        BinaryPrimitives.WriteUInt16BigEndian(message[end..], (ushort)type);
        BinaryPrimitives.WriteUInt16BigEndian(message[(end + 2)..], (ushort)RRClass.IN);
        end += 4;
        if (!edns && !dnssecOk && !cookies) return message[..end].ToArray();
        MessageHeader.SetCount(message, 3, 1);
        BinaryPrimitives.WriteUInt16BigEndian(message[(end + 1)..], (ushort)RRType.OPT);
        BinaryPrimitives.WriteUInt16BigEndian(message[(end + 3)..], 1232);
        if (dnssecOk) message[end + 7] = 0x80;
        if (!cookies) return message[..(end + OptOctets)].ToArray();
        BinaryPrimitives.WriteUInt16BigEndian(message[(end + 9)..], CookieOptOctets - OptOctets);
        BinaryPrimitives.WriteUInt16BigEndian(message[(end + 11)..], (ushort)EdnsOptionCode.Cookie);
        BinaryPrimitives.WriteUInt16BigEndian(message[(end + 13)..], CookieOctets);
        message.Slice(end + 15, CookieOctets).Fill(0x5A);
        return message[..(end + CookieOptOctets)].ToArray();
    }

    /// <summary>Shorter names first, else in the order they come in: neighbours have one length.</summary>
    internal static Question[] ByLength(IEnumerable<Question> questions) => [.. questions.OrderBy(question => question.Name.Length)];

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

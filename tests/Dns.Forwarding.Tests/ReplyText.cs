using System.Text;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>
/// An upstream's reply from text: <c>NOERROR aa</c>, then a line for each record: <c>answer OWNER TTL TYPE RDATA</c>.
/// Owners that are the question's name are pointers to it, as in nearly all replies.
/// </summary>
internal static class ReplyText
{
    private const ushort Response = 0x8180;

    public static byte[] Build(string question, params string[] lines) => Build(question, lines, extra: []);

    public static byte[] Build(string question, string[] lines, byte[][] extra)
    {
        string[] words = lines[0].Split(' ');
        int flags = Response | (int)Enum.Parse<Rcode>(words[0], ignoreCase: true);
        foreach (string word in words[1..]) flags |= word switch { "aa" => 0x400, "tc" => 0x200, "ad" => 0x20, _ => 0 };
        byte[] name = WireOctets.Name(question.Split(' ')[0]);
        byte[][] Section(string section) =>
            [.. lines.Skip(1).Where(line => line.StartsWith(section + ' ', StringComparison.Ordinal))
                .Select(line => Record(line, name))];
        return (QueryMessage.For(question) with
        {
            Flags = (ushort)flags,
            Answer = Section("answer"),
            Authority = Section("authority"),
            Additional = [.. Section("additional"), .. extra],
        }).ToOctets();
    }

    /// <summary>A record from <c>SECTION OWNER TTL TYPE RDATA</c>.</summary>
    private static byte[] Record(string line, byte[] question)
    {
        string[] words = line.Split(' ', 5);
        Assert.True(RRTypeText.TryParse(Encoding.ASCII.GetBytes(words[3]), out RRType type), words[3]);
        byte[] owner = WireOctets.Name(words[1]);
        if (owner.AsSpan().SequenceEqual(question)) owner = [0xC0, 12];
        byte[] rdata = Rdata.Parse(type, words.Length > 4 ? words[4] : "");
        return
        [
            .. owner, .. WireOctets.UInt16((int)type), .. WireOctets.UInt16(1),
            .. WireOctets.UInt32(uint.Parse(words[2])), .. WireOctets.UInt16(rdata.Length), .. rdata,
        ];
    }
}

using System.Text;

namespace Dns.Testing;

/// <summary>Zones to ask in tests, with one name for each situation that a lookup can meet.</summary>
public static class ExampleZones
{
    /// <summary>The name of the zone.</summary>
    public const string Apex = "example.test";

    /// <summary>The name of the child zone.</summary>
    public const string ChildApex = "child.example.test";

    private const string Text = """
        $TTL 3600
        @        SOA   ns1 host 7 7200 3600 1209600 300
        @        NS    ns1
        @        NS    ns.elsewhere.net.
        ns1      A     192.0.2.1
        ns1      AAAA  2001:db8::1
        www      A     192.0.2.10
        MiXeD    A     192.0.2.11
        c.b.a    A     192.0.2.12
        multi    A     192.0.2.21
        multi    A     192.0.2.22
        multi    A     192.0.2.23
        odd      TYPE65280 \# 4 DEADBEEF
        odd      TYPE65281 \# 0
        zero     0     A 192.0.2.30
        longest  2147483647 A 192.0.2.31
        overlong 2147483648 A 192.0.2.32
        nul\000x A     192.0.2.33
        a\032b   A     192.0.2.34
        do\.t    A     192.0.2.35
        nomail   MX    0 .
        mail     MX    10 mx1
        mail     MX    20 mx1
        mail     MX    30 mx.elsewhere.net.
        mx1      A     192.0.2.40
        _sip._tcp SRV  0 0 5060 www
        svc      HTTPS 1 mx1 alpn=h2
        order    NAPTR 10 10 "s" "SIP+D2U" "" www

        alias    CNAME www
        alias2   CNAME alias
        aliasnx  CNAME nx
        aliasno  CNAME mail
        aliasout CNAME www.elsewhere.net.
        aliassub CNAME host.sub
        aliaskid CNAME www.child
        loop1    CNAME loop2
        loop2    CNAME loop1
        self     CNAME self
        dn       DNAME target
        dn       TXT   "at the owner"
        host.target A  192.0.2.50
        dnout    DNAME elsewhere.net.
        dnloop   DNAME x.dnloop
        x        DNAME @
        dnback   DNAME target
        back.target CNAME dnback
        dnlong   DNAME 111111111111111111111111111111.222222222222222222222222222222.333333333333333333333333333333.target
        toDn     CNAME host.dn

        *.wild   A     192.0.2.60
        x.sub.wild.other A 192.0.2.61
        sub.wild TXT   "hides the wildcard"
        ent.x.wild A   192.0.2.62
        *.wc     CNAME www
        *.wcnx   CNAME nx
        *.wns    NS    ns.elsewhere.net.
        *.wdn    DNAME target
        *.wmx    MX    10 mx1

        sub      NS    ns.sub
        sub      NS    ns2.sub
        ns.sub   A     192.0.2.70
        ns.sub   AAAA  2001:db8::70
        ns2.sub  A     192.0.2.71
        occluded.sub A 192.0.2.72
        noglue   NS    ns.elsewhere.net.
        sib      NS    ns.sub
        sec      NS    ns.elsewhere.net.
        sec      DS    12345 8 2 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF
        child    NS    ns.child
        ns.child A     192.0.2.80
        child    DS    54321 8 2 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF

        """;

    /// <summary>A child of the zone.</summary>
    public const string Child = """
        $TTL 600
        @   SOA ns host 11 7200 3600 1209600 60
        @   NS  ns
        ns  A   192.0.2.80
        www A   192.0.2.81
        """;

    /// <summary>The zone, with sixty TXT records of 100 octets, twenty exchanges and a chain of 25 aliases.</summary>
    public static string Whole { get; } = Text + Lines(60, i => $"big TXT \"{i:00}{new string('b', 95)}\"")
        + Lines(20, i => $"many MX {i} host{i}") + Lines(20, i => $"host{i} A 192.0.2.{100 + i}")
        + Lines(25, i => $"chain{i} CNAME chain{i + 1}") + "chain25 A 192.0.2.99\n"
        + $"{string.Join('.', Enumerable.Repeat("k", 120))} A 192.0.2.98\n";

    /// <summary>The zone and its child with the default options.</summary>
    public static ServedZones Served { get; } = WithOptions(new ResponderOptions());

    /// <summary>The zone and its child with other options.</summary>
    public static ServedZones WithOptions(ResponderOptions options) =>
        new(options, (Apex, Whole), (ChildApex, Child));

    /// <summary>A query for a name relative to the zone; <c>@</c> is the apex.</summary>
    public static QueryMessage Query(string question)
    {
        string[] words = question.Split(' ', 2);
        string name = words[0] == "@" ? Apex : words[0].EndsWith('.') ? words[0] : $"{words[0]}.{Apex}";
        return QueryMessage.For(words.Length == 1 ? name : $"{name} {words[1]}");
    }

    private static string Lines(int count, Func<int, string> line)
    {
        StringBuilder text = new();
        for (int i = 0; i < count; i++) text.Append(line(i)).Append('\n');
        return text.ToString();
    }
}

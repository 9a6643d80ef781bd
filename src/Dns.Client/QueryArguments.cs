namespace Dns.Client;

/// <summary>The words of <c>dnsd query</c>: one name, the types to query, and an optional server.</summary>
public sealed record QueryArguments
{
    /// <summary>What dig writes with a plus sign, and what it means here.</summary>
    private static readonly (string Word, Func<QueryArguments, QueryArguments> Apply)[] Flags =
    [
        ("+short", words => words with { IsShort = true }),
        ("+dnssec", words => words with { IsDnssec = true }), ("+do", words => words with { IsDnssec = true }),
        ("+tcp", words => words with { IsTcp = true }), ("+vc", words => words with { IsTcp = true }),
        ("+nsid", words => words with { RequestsNsid = true }),
    ];

    public DomainName Name { get; private init; } = DomainName.Root;

    /// <summary>Which records, a query for each.</summary>
    public IReadOnlyList<RRType> Types { get; private init; } = [];

    public RRClass Class { get; private init; } = RRClass.IN;

    /// <summary>Address or host name of the server; null = the one that runs here.</summary>
    public string? Server { get; private init; }

    /// <summary>The port that stands behind the server; null = none does.</summary>
    public int? Port { get; private init; }

    public bool IsShort { get; init; }

    public bool IsDnssec { get; init; }

    public bool IsTcp { get; init; }

    /// <summary>The serial behind <c>IXFR=</c>.</summary>
    public uint FromSerial { get; private init; }

    public bool RequestsNsid { get; init; }

    /// <summary>Reads NAME, TYPE and CLASS in the order of dig; @SERVER and words with a plus sign anywhere.</summary>
    public static QueryArguments? Parse(IReadOnlyList<string> words, bool isReverse, out string problem)
    {
        QueryArguments read = new();
        string name = "";
        List<RRType> types = [];
        RRClass? @class = null;
        foreach (string word in words)
        {
            problem = $"\"{word}\" is neither a type nor a class nor @SERVER";
            if (word.StartsWith('@'))
            {
                problem =
                    $"\"{word}\": expected @SERVER, @SERVER:PORT or @SERVER#PORT; an IPv6 address with :PORT in " +
                        $"brackets";
                if (ReadServer(word[1..], read) is not { } named) return null;
                read = named;
            }
            else if (word.StartsWith('+'))
            {
                problem = $"\"{word}\": expected one of {string.Join(", ", Flags.Select(flag => flag.Word))}";
                if (Array.Find(Flags, flag => flag.Word == word).Apply is not { } apply) return null;
                read = apply(read);
            }
            else if (word.StartsWith("--", StringComparison.Ordinal))
            {
                problem = $"\"{word}\": there is no such option";
                return null;
            }
            else if (name.Length == 0) name = word;
            else if (ReadDifferences(word) is { } serial && !types.Contains(RRType.IXFR))
            {
                types.Add(RRType.IXFR);
                read = read with { FromSerial = serial };
            }
            else if (RRTypeText.TryParse(Encoding.UTF8.GetBytes(word), out RRType type) && !types.Contains(type))
                types.Add(type);
            else if (@class is null && RRClassText.TryParse(Encoding.UTF8.GetBytes(word), out RRClass c)) @class = c;
            else return null;
        }
        if (types.Count == 0) types.Add(isReverse ? RRType.PTR : RRType.A);
        return ReadName(name, isReverse, out problem) is { } question
            ? read with { Name = question, Types = types, Class = @class ?? RRClass.IN } : null;
    }

    /// <summary>Reads <c>IXFR=SERIAL</c>.</summary>
    private static uint? ReadDifferences(string word) =>
        word.StartsWith("IXFR=", StringComparison.OrdinalIgnoreCase)
        && uint.TryParse(word.AsSpan("IXFR=".Length), NumberStyles.None, CultureInfo.InvariantCulture, out uint serial)
            ? serial : null;

    private static DomainName? ReadName(string name, bool isReverse, out string problem)
    {
        problem = "expected the NAME to ask about";
        if (name.Length == 0) return null;
        problem = ZonesSetting.NotAName(name);
        if (isReverse && !TryReverse(ref name)) problem = $"\"{name}\" is not an address";
        else if (ZonesSetting.TryParseName(name, out DomainName? question)) return question;
        return null;
    }

    private static QueryArguments? ReadServer(string text, QueryArguments words)
    {
        // As dig and BIND write it, also behind an IPv6 address without brackets.
        int hash = text.LastIndexOf('#');
        if (hash >= 0)
            return ReadPort(text[(hash + 1)..]) is { } port && ReadServer(text[..hash], words) is { Port: null } server
                ? server with { Port = port } : null;
        if (ListenSetting.TryParse(text, out IPEndPoint? endPoint))
        {
            bool hasPort = text.StartsWith('[') ? text.Contains("]:") : text.Count(c => c == ':') == 1;
            return hasPort && endPoint.Port == 0
                ? null : words with { Server = endPoint.Address.ToString(), Port = hasPort ? endPoint.Port : null };
        }
        int colon = text.IndexOf(':');
        string host = colon < 0 ? text : text[..colon];
        int? named = colon < 0 ? null : ReadPort(text[(colon + 1)..]);
        return (colon < 0 || named is not null) && Uri.CheckHostName(host) == UriHostNameType.Dns
            ? words with { Server = host, Port = named } : null;
    }

    private static int? ReadPort(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int port) &&
            port is > 0 and <= IPEndPoint.MaxPort
            ? port : null;

    private static bool TryReverse(ref string address)
    {
        if (!AddressText.TryParse(address, out IPAddress? parsed)) return false;
        byte[] octets = parsed.GetAddressBytes();
        Array.Reverse(octets);
        address = octets.Length == 4
            ? string.Join('.', octets) + ".in-addr.arpa."
            : string.Concat(octets.Select(octet => $"{octet & 15:x}.{octet >> 4:x}.")) + "ip6.arpa.";
        return true;
    }
}

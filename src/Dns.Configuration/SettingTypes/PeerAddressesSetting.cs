namespace Dns.Configuration.SettingTypes;

/// <summary>Reads lists of servers that messages are sent to: <c>Primaries</c> and <c>Notify</c>.</summary>
public static class PeerAddressesSetting
{
    internal static SettingValue<IReadOnlyList<PeerAddress>> Value { get; } =
        ListOf<PeerAddress>(
            "a list of servers such as [\"192.0.2.1\", \"192.0.2.2:5353 key:k1.\", \"[2001:db8::1]:5353\"]",
            Read, Check)
        .Limit("maxItems", MaxPeers);

    /// <summary>The most servers of one list.</summary>
    public const int MaxPeers = 1000;

    private const string ExpectedElement =
        "the address of a server with an optional port, and perhaps key: and the name of a key in Dns:TsigKeys, such as \"192.0.2.1:5353 key:k1.\" or \"[2001:db8::1]:5353\"";

    private static void Read(SettingNode element, string path, SettingsBinder binder, List<PeerAddress> peers)
    {
        if (element.Value is not { } text || !TryParse(text, out PeerAddress? peer))
            binder.Expect(element, path, ExpectedFor(element.Value));
        else if (ForeignAddress.LacksScope(peer.EndPoint.Address))
            binder.Expect(element, path,
                $"the interface behind a link-local address, such as {peer.EndPoint.Address}%eth0");
        else if (peers.Contains(peer))
            binder.Report(element, $"{path} is \"{text}\", which is already in the list");
        else
        {
            peers.Add(peer);
            if (peer.Key is { } key) binder.References.UseKey(element, path, key);
        }
    }

    private static void Check(SettingNode list, string path, SettingsBinder binder, List<PeerAddress> peers)
    {
        if (peers.Count > MaxPeers)
            binder.Report(list, $"{path} has {peers.Count} servers: expected at most {MaxPeers}");
    }

    /// <summary>Reads a server: its address, and perhaps a key.</summary>
    public static bool TryParse(string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out PeerAddress? peer)
    {
        PeerAddress? server = null;
        DomainName? key = null;
        peer = null;
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (PeerListSetting.IsKey(word))
            {
                if (key is not null || !PeerListSetting.TryParseKey(word, out key)) return false;
            }
            else if (server is not null || (server = ForeignAddress.ReadServer(word)) is null) return false;
        }
        peer = server is null ? null : server with { Key = key };
        return peer is not null;
    }

    private static string ExpectedFor(string? text)
    {
        if (text is null) return ExpectedElement;
        if (ForeignAddress.DescribeScheme(text) is { } scheme) return $"{ExpectedElement}; {scheme}";
        if (text.Contains('/')) return ExpectedElement + "; a message is sent to a server, not to a network";
        string host = text.Split(' ')[0].Split(':', '@')[0];
        bool isName =
            Uri.CheckHostName(host) == UriHostNameType.Dns && !host.All(c => char.IsAsciiDigit(c) || c == '.');
        return isName
            ? ExpectedElement + "; a server is given by its address, since names are looked up there" : ExpectedElement;
    }
}

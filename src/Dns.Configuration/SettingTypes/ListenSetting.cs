namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:Listen</c>: addresses with an optional port.</summary>
public static class ListenSetting
{
    /// <summary>The port of an address that names none.</summary>
    public const int DefaultPort = 53;

    private const string Expected =
        "an address with a port, such as 127.0.0.1:5335, [::1]:5335 or 0.0.0.0:53 (without a port: 53)";

    internal static SettingValue<IReadOnlyList<ListenerAddress>> Value { get; } =
        ListOf<ListenerAddress>("a list of addresses such as [\"127.0.0.1:5335\", \"[::1]:5335\"]", Read,
            (list, path, binder, _) =>
            {
                if (list.Children.Count == 0) binder.Report(list, $"{path} is empty: expected at least one address");
            })
        .Limit("minItems", 1).Limit("uniqueItems", true);

    private static void Read(SettingNode element, string path, SettingsBinder binder, List<ListenerAddress> addresses)
    {
        IReadOnlyList<IPEndPoint> read = element.Value is null ? [] : ForeignAddress.ReadListen(element.Value);
        if (read.Count == 0)
            binder.Expect(element, path, ExpectedFor(element.Value));
        else if (ExpectedInsteadOf(read[0]) is { } expected)
            binder.Expect(element, path, expected);
        else if (read.Any(endPoint => addresses.Contains(endPoint)))
            binder.Report(element, $"{path} is \"{element.Value}\", which is already in the list");
        else if (addresses.Find(earlier => read.Any(later => ListenerAddress.Overlap(earlier.EndPoint, later)))
            is { } other)
            binder.Report(element, $"{path} is \"{element.Value}\", which cannot be bound beside {other} of "
                + "the list: expected the wildcard address alone, or the others without it");
        else
            addresses.AddRange(read.Select(endPoint => new ListenerAddress(endPoint)));
    }

    /// <summary>What has to be written in place of an address that no server can listen on; null if it can.</summary>
    public static string? ExpectedInsteadOf(IPEndPoint endPoint)
    {
        IPAddress address = endPoint.Address;
        if (ForeignAddress.LacksScope(address))
            return $"the interface behind a link-local address, such as {address}%eth0";
        // IPv6 sockets are for IPv6 alone (RFC 3493 §5.3).
        if (address.IsIPv4MappedToIPv6)
            return $"the IPv4 address itself, {new IPEndPoint(address.MapToIPv4(), endPoint.Port)}";
        return ForeignAddress.IsGroup(address)
            ? "an address of this machine, which no multicast or broadcast address is" : null;
    }

    private static string ExpectedFor(string? text) =>
        text is not null && ForeignAddress.DescribeListen(text) is { } foreign ? $"{Expected}; {foreign}" : Expected;

    /// <summary>Reads <c>ADDRESS</c>, <c>ADDRESS:PORT</c> or <c>[ADDRESS]:PORT</c>; port 0 = any free one.</summary>
    /// <param name="port">The port if none is given.</param>
    public static bool TryParse(string text,
        [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out IPEndPoint? endPoint, int port = DefaultPort)
    {
        endPoint = null;
        ReadOnlySpan<char> address = text;
        int colon = text.LastIndexOf(':');
        bool bracketed = text.StartsWith('[');
        if (bracketed ? text.IndexOf("]:", StringComparison.Ordinal) is > 0 and int close && (colon = close + 1) > 0
            : colon > 0 && text.IndexOf(':') == colon)
        {
            if (!int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port)
                || port > IPEndPoint.MaxPort) return false;
            address = text.AsSpan(0, colon);
        }
        if (bracketed)
        {
            if (!address.EndsWith("]")) return false;
            address = address[1..^1];
        }
        if (!IPAddress.TryParse(address, out IPAddress? parsed)) return false;
        bool isIPv6 = address.Contains(':');
        // "127.1" and "0x7f000001" are addresses to the system's parser, and typing errors here.
        if (isIPv6 != (parsed.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6)) return false;
        if (bracketed && !isIPv6 || !isIPv6 && parsed.ToString() != address.ToString()) return false;
        endPoint = new IPEndPoint(parsed, port);
        return true;
    }
}

using System.Net.NetworkInformation;

namespace Dns.Configuration.Foreign;

/// <summary>Addresses as other servers write them: plain ones are read, for others it says what to write.</summary>
public static class ForeignAddress
{
    private static readonly IPAddress[] All = [IPAddress.Any, IPAddress.IPv6Any],
        Local = [IPAddress.Loopback, IPAddress.IPv6Loopback];

    private static readonly string[] Encrypted = ["tls", "https", "quic", "dot", "doh", "doq", "h3", "h2",
        "sdns", "grpc"];

    /// <summary>The first octet of IPv4 multicast, broadcast and reserved addresses.</summary>
    private const int FirstGroup = 224;

    private static readonly string[] Plain = ["udp", "tcp", "dns"];

    /// <summary>
    /// Reads an address to listen on: <c>*</c>, <c>any</c> or nothing before the port are all addresses of both
    /// families, <c>localhost</c> those of loopback, and <c>ADDRESS@PORT</c> or <c>ADDRESS#PORT</c> is a port as well;
    /// else as <see cref="ListenSetting.TryParse"/>. Empty if it is none.
    /// </summary>
    public static IReadOnlyList<IPEndPoint> ReadListen(string text)
    {
        text = WithColon(text);
        if (ListenSetting.TryParse(text, out IPEndPoint? one)) return [one];
        int colon = text.IndexOf(':');
        string host = colon < 0 ? text : text[..colon], port = colon < 0 ? "" : text[colon..];
        IPAddress[] addresses = host.ToLowerInvariant() switch
        {
            "*" or "any" => All,
            "" when port.Length > 0 => All,
            "localhost" => Local,
            _ => [],
        };
        // The port as an address with one has it.
        return addresses.Length > 0 && ListenSetting.TryParse("0.0.0.0" + port, out IPEndPoint? any)
            ? [.. addresses.Select(address => new IPEndPoint(address, any.Port))] : [];
    }

    /// <summary>Says of a text that is no address to listen on what it is; null if it is nothing known.</summary>
    public static string? DescribeListen(string text)
    {
        if (SchemeOf(text) is { } scheme)
            return Encrypted.Contains(scheme) ? "this version listens over UDP and TCP without encryption"
                : $"each address is served over UDP and TCP: leave out {scheme}://";
        string name = text.Split(':')[0];
        if (FindInterface(name) is { } addresses)
            return $"this version listens on addresses and not on interfaces; {name} has " +
                $"{(addresses.Length > 0 ? addresses : "none")}";
        return null;
    }

    /// <summary>
    /// Reads a server that messages are sent to, without a key; <c>udp://</c>, <c>tcp://</c> and <c>dns://</c> are
    /// plain, and <c>ADDRESS@PORT</c> or <c>ADDRESS#PORT</c> is a port as well. Null if it is none.
    /// </summary>
    public static PeerAddress? ReadServer(string text)
    {
        if (SchemeOf(text) is { } scheme && Plain.Contains(scheme)) text = text[(scheme.Length + 3)..];
        return PeerAddress.Parse(text, static (address, port) =>
            ListenSetting.TryParse(WithColon(address), out IPEndPoint? server, port) && IsOne(server) ? server : null);
    }

    /// <summary>Names the schemes if that of a server is unknown; else null.</summary>
    public static string? DescribeScheme(string text) =>
        SchemeOf(text) is { } scheme && !Plain.Contains(scheme)
        && PeerScheme.Known.All(known => known.Word != scheme)
            ? $"{scheme} is no scheme of this version, expected one of: "
                + string.Join(", ", PeerScheme.Known.Select(known => known.Word)) : null;

    /// <summary>Puts the port behind a colon: unbound, NSD and Knot write <c>@</c>, dnsmasq and dig <c>#</c>.</summary>
    private static string WithColon(string text)
    {
        if (text.Split('@', '#') is not [var host, { Length: > 0 } port] || !port.All(char.IsAsciiDigit)) return text;
        host = host.Trim('[', ']');
        return !IPAddress.TryParse(host, out IPAddress? address) ? text
            : address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6
                ? $"[{host}]:{port}" : $"{host}:{port}";
    }

    /// <summary>Says of a text that is no upstream what it is; null if it is nothing known.</summary>
    public static string? DescribeUpstream(string text)
    {
        if (DescribeScheme(text) is { } scheme) return scheme;
        if (NamesTls(text)) return "this version queries upstreams over UDP and TCP without encryption";
        string host = text.Split('/')[^1].Split(':', '@')[0];
        bool isName =
            Uri.CheckHostName(host) == UriHostNameType.Dns && !host.All(c => char.IsAsciiDigit(c) || c == '.');
        return isName ? "an upstream is given by its address, since names are looked up there" : null;
    }

    /// <summary>Whether the name of a certificate follows, as in <c>192.0.2.1@853#dns.example</c>.</summary>
    private static bool NamesTls(string text) =>
        text.IndexOf('#') is >= 0 and int sign && text.AsSpan(sign + 1).ContainsAnyExceptInRange('0', '9');

    /// <summary>Whether it is the address of one server: no wildcard, no group, no broadcast.</summary>
    public static bool IsOne(IPEndPoint upstream) =>
        upstream.Port != 0 && !upstream.Address.Equals(IPAddress.Any) && !upstream.Address.Equals(IPAddress.IPv6Any)
        && !upstream.Address.IsIPv6Multicast
        &&
        (upstream.AddressFamily != System.Net.Sockets.AddressFamily.InterNetwork ||
            upstream.Address.GetAddressBytes()[0] < FirstGroup);

    /// <summary>Whether it is multicast (RFC 5771, RFC 4291 §2.7) or the limited broadcast (RFC 919).</summary>
    public static bool IsGroup(IPAddress address) => address.IsIPv6Multicast || address.Equals(IPAddress.Broadcast)
        || address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork
            && address.GetAddressBytes()[0] >> 4 == FirstGroup >> 4;

    /// <summary>Whether an address is of one link only, and does not say of which.</summary>
    public static bool LacksScope(IPAddress address) => address is { IsIPv6LinkLocal: true, ScopeId: 0 };

    /// <summary>Reads a word for networks: <c>any</c> and <c>*</c> for all, <c>localhost</c>, <c>none</c>.</summary>
    public static bool TryReadNetworks(string text, out IReadOnlyList<IPNetwork> networks)
    {
        networks = text.ToLowerInvariant() switch
        {
            "any" or "all" or "*" => [IPNetwork.Parse("0.0.0.0/0"), IPNetwork.Parse("::/0")],
            "localhost" => [IPNetwork.Parse("127.0.0.0/8"), IPNetwork.Parse("::1/128")],
            _ => [],
        };
        return networks.Count > 0 || text.Equals("none", StringComparison.OrdinalIgnoreCase);
    }

    private static string? SchemeOf(string text) =>
        text.IndexOf("://", StringComparison.Ordinal) is > 0 and int end ? text[..end].ToLowerInvariant() : null;

    /// <summary>The addresses of an interface of this machine; null if there is none of this name.</summary>
    private static string? FindInterface(string name)
    {
        try
        {
            return NetworkInterface.GetAllNetworkInterfaces()
                .FirstOrDefault(network => network.Name == name) is { } found
                ? string.Join(", ", found.GetIPProperties().UnicastAddresses.Select(unicast => unicast.Address)) : null;
        }
        catch (NetworkInformationException)
        {
            return null;
        }
    }
}

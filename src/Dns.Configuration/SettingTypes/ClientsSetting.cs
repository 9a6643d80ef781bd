using System.Numerics;

namespace Dns.Configuration.SettingTypes;

/// <summary>Reads lists of networks such as <c>Dns:Recursion:AllowFrom</c>.</summary>
public static class ClientsSetting
{
    internal const string Expected = "a list of networks such as [\"127.0.0.0/8\", \"::1/128\"]";

    /// <summary>Reads an element: <c>ADDRESS/LENGTH</c>, or an address for itself alone.</summary>
    internal static void Read(SettingNode element, string path, SettingsBinder binder, List<IPNetwork> networks)
    {
        if (element.Value is not null && TryParse(element.Value, out IPNetwork network)) networks.Add(network);
        else if (element.Value is not null &&
            ForeignAddress.TryReadNetworks(element.Value, out IReadOnlyList<IPNetwork> known))
            networks.AddRange(known);
        else binder.Expect(element, path, ExpectedFor(element.Value));
    }

    /// <summary>What an element has to be; of an address with bits behind the length both that it may mean.</summary>
    private static string ExpectedFor(string? text)
    {
        const string network =
            "a network such as 192.0.2.0/24, 2001:db8::/32 or a single address, without bits behind the length";
        if (text is ['!', ..]) return network + "; a list has no exceptions";
        if (text is "localnets") return network + "; the networks of this machine are listed one by one";
        return text is not null && DescribeNetwork(text) is { } meant ? $"{network}; {meant}" : network;
    }

    /// <summary>What an address with a mask, or with bits behind the length, may mean; null if it is neither.</summary>
    public static string? DescribeNetwork(string text)
    {
        if (TryParse(text, out _) || text.Split('/') is not [var host, var bits] ||
            !AddressText.TryParse(host, out IPAddress? address))
            return null;
        if (!host.Contains(':') && AddressText.TryParse(bits, out IPAddress? mask) && LengthOf(mask) is { } length)
            return $"{host}/{length} has the length of this mask";
        return IPNetwork.TryParse(text, out IPNetwork whole)
            ? $"{whole.BaseAddress}/{bits} is the network, {address} the address alone" : null;
    }

    /// <summary>Reads <c>ADDRESS/LENGTH</c> or an address for itself alone.</summary>
    public static bool TryParse(string text, out IPNetwork network)
    {
        network = default;
        int slash = text.IndexOf('/');
        if (slash >= 0)
            return AddressText.IsWhole(text.AsSpan(0, slash)) && IPNetwork.TryParse(text, out network)
                // The system's parser drops the bits behind the length; who wrote them meant something else.
                && network.BaseAddress.Equals(IPAddress.Parse(text.AsSpan(0, slash)));
        if (!AddressText.TryParse(text, out IPAddress? address)) return false;
        network = new IPNetwork(address, address.GetAddressBytes().Length * 8);
        return true;
    }

    /// <summary>The bits of a mask of IPv4; null if it has gaps.</summary>
    private static int? LengthOf(IPAddress mask)
    {
        if (mask.AddressFamily != System.Net.Sockets.AddressFamily.InterNetwork) return null;
        uint bits = BinaryPrimitives.ReadUInt32BigEndian(mask.GetAddressBytes());
        int length = BitOperations.LeadingZeroCount(~bits);
        return length == 32 || bits << length == 0 ? length : null;
    }
}

using System.Net.Sockets;

namespace Dns.Import.Shared;

/// <summary>
/// Lists of networks as settings write them; null stands for all. An intersection never permits more than either side.
/// </summary>
internal static class ImportedClients
{
    /// <summary>The networks that a list may come to, and those that it may exclude.</summary>
    public const int MaxNetworks = 100_000, MaxExcluded = 10_000;

    /// <summary>The clients that are in both of two lists.</summary>
    public static List<string>? Both(List<string>? first, List<string>? second)
    {
        if (first is null || second is null) return first ?? second;
        List<string> both = [];
        foreach (IPNetwork one in first.Select(Parse))
            foreach (IPNetwork other in second.Select(Parse))
                // Two networks lie one within the other, or apart.
                if (Contains(one, other)) both.Add(Format(other));
                else if (Contains(other, one)) both.Add(Format(one));
        return both;
    }

    public static string[] AllNetworks => ["0.0.0.0/0", "::/0"];

    /// <summary>
    /// The clients of a list but those of another: a network that contains an excluded one is split. None, and a
    /// diagnostic, if they are too many.
    /// </summary>
    /// <param name="clients">The list; null = all.</param>
    /// <param name="at">The statement that the diagnostic names.</param>
    public static List<string>? Except(List<string>? clients, IReadOnlyCollection<string> excluded,
        ImportDiagnostics diagnostics, ConfigStatement at)
    {
        if (!TryExcept(clients, excluded, out List<string>? rest))
            diagnostics.Block(at, "", $"{at.Key}: too large: its networks are left out", ImportLimit.OfImporter);
        return rest;
    }

    /// <summary>The clients of a list but those of another; false, and none, if they are too many.</summary>
    public static bool TryExcept(List<string>? clients, IReadOnlyCollection<string> excluded, out List<string>? rest)
    {
        rest = clients;
        if (excluded.Count == 0) return true;
        rest = [];
        if (excluded.Count > MaxExcluded || clients?.Count > MaxNetworks) return false;
        List<IPNetwork> networks = [], without = [.. excluded.Select(Parse)];
        foreach (string client in clients ?? [.. AllNetworks])
        {
            AddExcept(networks, Parse(client), without);
            if (networks.Count > MaxNetworks) return false;
        }
        rest.AddRange(networks.Select(Format));
        return true;
    }

    /// <summary>Adds a network without others: both halves, as long as it contains one of them.</summary>
    private static void AddExcept(List<IPNetwork> networks, IPNetwork client, List<IPNetwork> excluded)
    {
        if (excluded.Exists(network => Contains(network, client))) return;
        List<IPNetwork> inner = excluded.FindAll(network => Contains(client, network));
        if (inner.Count == 0)
        {
            networks.Add(client);
            return;
        }
        (IPNetwork low, IPNetwork high) = Halves(client);
        bool isLow = Contains(low, inner[0]);
        AddExcept(networks, isLow ? high : low, inner);
        AddExcept(networks, isLow ? low : high, inner);
    }

    private static (IPNetwork Low, IPNetwork High) Halves(IPNetwork network)
    {
        byte[] octets = network.BaseAddress.GetAddressBytes();
        octets[network.PrefixLength / 8] |= (byte)(0x80 >> (network.PrefixLength % 8));
        int length = network.PrefixLength + 1;
        return (new IPNetwork(network.BaseAddress, length), new IPNetwork(new IPAddress(octets), length));
    }

    /// <summary>
    /// Reads the networks of an address, <c>ADDRESS/LENGTH</c>, <c>ADDRESS&amp;MASK</c> or <c>ADDRESS-ADDRESS</c>, as
    /// NSD writes them. Bits behind a length mean nothing there.
    /// </summary>
    public static bool TryReadNsd(string text, out List<IPNetwork> networks)
    {
        networks = [];
        int at = text.IndexOfAny(['/', '&', '-']);
        if (!TryNumber(at < 0 ? text : text[..at], out UInt128 from, out int bits)) return false;
        if (at < 0) return Add(networks, from, bits, bits);
        string rest = text[(at + 1)..];
        if (text[at] == '/')
            return int.TryParse(rest, NumberStyles.None, CultureInfo.InvariantCulture, out int length) && length <= bits
                && Add(networks, from, length, bits);
        if (!TryNumber(rest, out UInt128 to, out int toBits) || toBits != bits) return false;
        return text[at] == '-' ? AddRange(networks, from, to, bits) : AddMasked(networks, from, to, bits);
    }

    /// <summary>A network as settings write it: an address alone without its length.</summary>
    public static string Format(IPNetwork network) =>
        network.PrefixLength == BitsOf(network.BaseAddress) ? network.BaseAddress.ToString() : network.ToString();

    private static bool AddMasked(List<IPNetwork> networks, UInt128 address, UInt128 mask, int bits)
    {
        int length = (int)UInt128.PopCount(mask);
        return Ones(length, bits) == mask && Add(networks, address, length, bits);
    }

    /// <summary>The largest networks that fill a range exactly.</summary>
    private static bool AddRange(List<IPNetwork> networks, UInt128 from, UInt128 to, int bits)
    {
        if (from > to) return false;
        while (true)
        {
            int length = bits;
            while (length > 0 && (from & Ones(length - 1, bits)) == from && LastOf(from, length - 1, bits) <= to)
                length--;
            Add(networks, from, length, bits);
            if (LastOf(from, length, bits) == to) return true;
            from = LastOf(from, length, bits) + 1;
        }
    }

    private static bool Add(List<IPNetwork> networks, UInt128 number, int length, int bits)
    {
        UInt128 start = number & Ones(length, bits);
        byte[] octets = new byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt128BigEndian(octets, start);
        IPAddress address = new(octets.AsSpan(16 - bits / 8));
        // There it is an address of IPv6 that no client has; here it would be one of IPv4.
        if (!address.IsIPv4MappedToIPv6) networks.Add(new IPNetwork(address, length));
        return true;
    }

    private static UInt128 Ones(int length, int bits)
    {
        UInt128 all = bits == 128 ? UInt128.MaxValue : (UInt128.One << bits) - 1;
        return length == 0 ? 0 : all & ~(length == bits ? 0 : (UInt128.One << (bits - length)) - 1);
    }

    private static UInt128 LastOf(UInt128 from, int length, int bits) => from | (Ones(bits, bits) ^ Ones(length, bits));

    private static bool TryNumber(string text, out UInt128 number, out int bits)
    {
        (number, bits) = (0, 0);
        if (!AddressText.TryParse(text, out IPAddress? address)) return false;
        bits = BitsOf(address);
        foreach (byte octet in address.GetAddressBytes()) number = number << 8 | octet;
        return true;
    }

    private static int BitsOf(IPAddress address) => address.AddressFamily == AddressFamily.InterNetwork ? 32 : 128;

    /// <summary>Reads a network that <see cref="Format"/> wrote.</summary>
    public static IPNetwork Parse(string text) =>
        ClientsSetting.TryParse(text, out IPNetwork network) ? network : throw new FormatException(text);

    private static bool Contains(IPNetwork outer, IPNetwork inner) =>
        outer.BaseAddress.AddressFamily == inner.BaseAddress.AddressFamily
        && outer.PrefixLength <= inner.PrefixLength && outer.Contains(inner.BaseAddress);
}

namespace Dns.Zones.Checks;

/// <summary>Finds names that are addresses: <c>192.0.2.1.</c>, or <c>192.0.2.1</c> completed with the origin.</summary>
internal static class AddressLiteral
{
    /// <summary>Whether a wire name is an address, alone or before the apex.</summary>
    public static bool IsOne(ReadOnlySpan<byte> name, ReadOnlySpan<byte> apex)
    {
        if (name[0] == 0) return false;
        ReadOnlySpan<byte> first = name.Slice(1, name[0]);
        if (first.Contains((byte)':')) return IsIpv6(first);
        int at = 0;
        for (int label = 0; label < 4; label++)
        {
            if (!IsOctet(name.Slice(at + 1, name[at]))) return false;
            at += name[at] + 1;
        }
        return name[at] == 0 || WireName.EqualsIgnoreCase(name[at..], apex);
    }

    private static bool IsOctet(ReadOnlySpan<byte> label) =>
        label.Length is > 0 and <= 3 && byte.TryParse(label, System.Globalization.NumberStyles.None, null, out _);

    // With a colon in it, it can only be an IPv6 address.
    private static bool IsIpv6(ReadOnlySpan<byte> label) =>
        IPAddress.TryParse(Encoding.Latin1.GetString(label), out _);
}

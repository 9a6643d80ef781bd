namespace Dns.Configuration.SettingTypes;

/// <summary>Reads an IP address that is written out.</summary>
public static class AddressText
{
    /// <summary>Reads an address; false for "10.1" and "999", which the system's parser takes for IPv4.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, [NotNullWhen(true)] out IPAddress? address)
    {
        address = null;
        return IsWhole(text) && IPAddress.TryParse(text, out address);
    }

    /// <summary>Whether a text has all the parts that an address has.</summary>
    internal static bool IsWhole(ReadOnlySpan<char> text) => text.Contains(':') || text.Count('.') == 3;
}

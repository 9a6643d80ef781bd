namespace Dns.Configuration.SettingTypes;

/// <summary>Finds characters in the name of a zone that are probably a mistake, such as a comma for a dot.</summary>
public static class UnusualZoneName
{
    /// <summary>What is unusual, for a warning; null if nothing is.</summary>
    /// <remarks>
    /// Usual are letters, digits and hyphens (RFC 1123 §2.1), the underscore, and the slash (RFC 2317 §4). A zone at a
    /// wildcard name is legal (RFC 4592 §4.1), but a record <c>*</c> of the zone above is nearly always meant.
    /// </remarks>
    public static string? Find(DomainName zone)
    {
        ReadOnlySpan<byte> name = zone.Octets;
        for (int label = 0; name[label] != 0; label += name[label] + 1)
            foreach (byte octet in name.Slice(label + 1, name[label]))
                if (!char.IsAsciiLetterOrDigit((char)octet) && octet is not ((byte)'-' or (byte)'_' or (byte)'/'))
                    return $"the zone {zone} has {Show(octet)} in its name: "
                        + "expected letters, digits, hyphens and underscores";
        return null;
    }

    private static string Show(byte octet) =>
        octet is > (byte)' ' and < 0x7F ? $"\"{(char)octet}\"" : $"octet {octet}";
}

namespace Dns.Zones.MasterFiles;

/// <summary>Converts an internationalised name to A-labels, <c>xn--...</c> (RFC 5890 §2.3.2.1).</summary>
internal static class ALabelText
{
    private static readonly IdnMapping Mapping = new();
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The A-labels of a name in UTF-8; null if it is not UTF-8, or has no such form.</summary>
    public static string? Find(ReadOnlySpan<byte> name)
    {
        // With an escape in it, the octets are intended.
        if (name.Contains((byte)'\\')) return null;
        try
        {
            return string.Join('.', Utf8.GetString(name).ToLowerInvariant().Split('.').Select(ToAscii));
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    // Label by label: a name may be relative, and have labels such as _tcp or *.
    private static string ToAscii(string label) => Ascii.IsValid(label) ? label : Mapping.GetAscii(label);
}

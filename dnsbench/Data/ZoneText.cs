using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// The zone of all measurements, as a master file that every server can read: hosts of 19 to 28 octets with A, often
/// AAAA, some MX and TXT, a few aliases, one delegation in a hundred names with its glue, a wildcard.
/// </summary>
internal static class ZoneText
{
    internal const string Apex = "bench.test";
    private const int Group = 100;
    private const int CutIndex = 7;
    private const int AliasIndex = 13;

    private static readonly string[] Words = ["h", "www", "node", "relay", "mail-out", "app-srv"];

    /// <summary>What the name with this number is.</summary>
    internal static OwnerKind KindOf(int number) => (number % Group) switch
    {
        CutIndex => OwnerKind.Cut,
        AliasIndex => OwnerKind.Alias,
        _ => OwnerKind.Host,
    };

    /// <summary>The label of the name with this number.</summary>
    internal static string Label(int number)
    {
        // An odd multiplier permutes the numbers: adjacent names in the file are not adjacent in canonical order.
        uint scrambled = (uint)number * 2654435761u;
        return string.Create(CultureInfo.InvariantCulture, $"{Words[number % Words.Length]}{scrambled:x8}");
    }

    /// <summary>Writes the file.</summary>
    internal static void Write(string file, int names, int ttl = 3600)
    {
        using StreamWriter text = new(file, append: false) { NewLine = "\n" };
        text.WriteLine($"$ORIGIN {Apex}.\n$TTL {ttl}");
        text.WriteLine("@ SOA ns1 hostmaster 1 3600 600 86400 300\n@ NS ns1\n@ NS ns2\n@ MX 10 mail");
        text.WriteLine("ns1 A 192.0.2.1\nns1 AAAA 2001:db8::1\nns2 A 192.0.2.2\nmail A 192.0.2.3\n*.wild A 192.0.2.4");
        text.WriteLine("www A 192.0.2.5");
        for (int i = 0; i < names; i++) WriteName(text, i);
    }

    private static void WriteName(StreamWriter text, int number)
    {
        string label = Label(number);
        string address =
            string.Create(CultureInfo.InvariantCulture, $"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}");
        switch (KindOf(number))
        {
            case OwnerKind.Cut:
                text.WriteLine($"{label} NS ns1.{label}\n{label} NS ns2.{label}");
                text.WriteLine(
                    $"ns1.{label} A {address}\nns2.{label} A {address}\nns2.{label} AAAA " +
                        $"2001:db8::{number & 0xFFFF:x}");
                return;
            case OwnerKind.Alias:
                text.WriteLine($"{label} CNAME {Label(number - 1)}");
                return;
        }
        text.WriteLine($"{label} A {address}");
        if (number % 2 == 0) text.WriteLine($"{label} AAAA 2001:db8::{number >> 16:x}:{number & 0xFFFF:x}");
        if (number % 10 == 0) text.WriteLine($"{label} MX 10 mail");
        if (number % 10 == 3) text.WriteLine($"{label} TXT \"the text of {label}\"");
    }
}

/// <summary>What a name of the zone is.</summary>
internal enum OwnerKind
{
    Host,
    Alias,
    Cut,
}

using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// A zone like that of a top-level domain, as a master file that every server can read: delegations with two NS each,
/// most to a few thousand hosters, one in ten to hosts of its own with glue, one in ten with a DS.
/// </summary>
internal static class TldText
{
    internal const string Apex = "tld";

    private const int Hosters = 4096;
    private const int OwnHosts = 10;
    private const string Digest = "2BB183AF5F22588179A53B0A98631FAD1A292118A8B0E5E0E2FE1C9D0B5C6D7E";

    /// <summary>Writes the file, record by record: memory does not grow with the zone.</summary>
    /// <returns>How many records it has: 5, and 23 for each 10 delegations.</returns>
    internal static long Write(string file, int delegations)
    {
        using StreamWriter text = new(file, append: false);
        return Write(text, delegations);
    }

    /// <summary>The same to a writer.</summary>
    internal static long Write(TextWriter text, int delegations)
    {
        text.NewLine = "\n";
        text.WriteLine($"$ORIGIN {Apex}.\n$TTL 86400");
        text.WriteLine("@ SOA ns1.nic hostmaster.nic 1 3600 600 864000 300");
        text.WriteLine("@ NS ns1.nic\n@ NS ns2.nic\nns1.nic A 192.0.2.1\nns2.nic A 192.0.2.2");
        long records = 5;
        for (int i = 0; i < delegations; i++) records += WriteDelegation(text, i);
        return records;
    }

    private static int WriteDelegation(TextWriter text, int number)
    {
        // An odd multiplier permutes the numbers: adjacent names in the file are not adjacent in canonical order.
        uint scrambled = (uint)number * 2654435761u;
        string label =
            string.Create(CultureInfo.InvariantCulture, $"{(scrambled % 3 == 0 ? "my-shop" : "d")}{scrambled:x8}");
        int records = 2;
        if (number % OwnHosts == 3)
        {
            text.WriteLine($"{label} NS ns1.{label}\n{label} NS ns2.{label}");
            text.WriteLine($"ns1.{label} A 10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}");
            text.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"ns2.{label} AAAA 2001:db8::{number & 0xFFFF:x}"));
            records += 2;
        }
        else
        {
            // A product: some hosters have many delegations. Independent of the label: servers send names in different
            // orders.
            uint mixed = (uint)number * 2246822519u;
            mixed = (mixed ^ mixed >> 15) * 3266489917u;
            mixed ^= mixed >> 13;
            uint hoster = (mixed >> 20) * (mixed >> 8 & 0xFFF) / Hosters;
            text.WriteLine($"{label} NS ns1.hoster{hoster}.example.\n{label} NS ns2.hoster{hoster}.example.");
        }
        if (number % OwnHosts != 7) return records;
        text.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{label} DS {number & 0xFFFF} 13 2 {scrambled:X8}{Digest.AsSpan(8)}"));
        return records + 1;
    }
}

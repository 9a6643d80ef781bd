namespace Dns.Replication.Tests;

/// <summary>Deltas for tests.</summary>
internal static class Deltas
{
    /// <summary>The zone that they are of.</summary>
    public static DomainName Zone { get; } = DomainName.Parse("example.com.");

    /// <summary>From a serial to the next: the SOA, and an added address.</summary>
    public static ZoneDelta Step(uint serial, string owner = "www") => Step(serial, serial + 1, owner);

    /// <summary>From a serial to another.</summary>
    public static ZoneDelta Step(uint from, uint to, string owner)
    {
        ZoneDeltaBuilder builder = new(Zone, from);
        builder.Remove(Zone.Octets, RRType.SOA, Soa(from));
        builder.Add(Zone.Octets, RRType.SOA, 3600, Soa(to));
        byte[] address = [192, 0, 2, (byte)from];
        builder.Add(DomainName.Parse($"{owner}{from}.example.com.").Octets, RRType.A, 300, address);
        return builder.Build();
    }

    /// <summary>From a serial to another, with added records of 64 KiB each.</summary>
    public static ZoneDelta Large(uint from, uint to, int records)
    {
        ZoneDeltaBuilder builder = new(Zone, from);
        builder.Remove(Zone.Octets, RRType.SOA, Soa(from));
        builder.Add(Zone.Octets, RRType.SOA, 3600, Soa(to));
        for (int i = 0; i < records; i++)
            builder.Add(DomainName.Parse($"n{i}.example.com.").Octets, (RRType)65400, 300, new byte[65535]);
        return builder.Build();
    }

    /// <summary>The RDATA of an SOA.</summary>
    public static byte[] Soa(uint serial) =>
        Rdata.Parse(RRType.SOA, $"ns.example.com. admin.example.com. {serial} 3600 600 86400 60");

    /// <summary>A delta as lines of text.</summary>
    public static string[] Text(ZoneDelta delta)
    {
        List<string> lines = [$"{delta.SerialFrom} {delta.SerialTo}"];
        foreach (RecordList.ListedRecord record in delta.Removed)
            lines.Add($"- {NameText.ToText(record.Owner)} {record.Type} {Convert.ToHexString(record.Rdata)}");
        foreach (RecordList.ListedRecord record in delta.Added)
            lines.Add(
                $"+ {NameText.ToText(record.Owner)} {record.Ttl} {record.Type} {Convert.ToHexString(record.Rdata)}");
        return [.. lines];
    }
}

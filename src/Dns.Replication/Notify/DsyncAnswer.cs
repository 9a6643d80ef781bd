namespace Dns.Replication.Notify;

/// <summary>A resolver's answer about DSYNC records.</summary>
/// <param name="Records">RDATA of the records, possibly empty.</param>
/// <param name="Apex">The owner of the SOA record of a negative answer; null = none.</param>
internal sealed record DsyncAnswer(IReadOnlyList<byte[]> Records, DomainName? Apex, string? Failure)
{
    private const int MaxRecords = 16;
    private const int LeastOctets = 6;

    /// <summary>Reads a reply. Never throws, for any octets.</summary>
    internal static DsyncAnswer Read(PrimaryQuery query, ReadOnlySpan<byte> message)
    {
        if (!query.IsReply(message) || !MessageReader.TryOpen(message, out MessageReader reader))
            return Failed("the answer is malformed");
        Rcode rcode = reader.HeaderRcode;
        if (rcode is not (Rcode.NoError or Rcode.NXDomain)) return Failed($"the answer is {RcodeText.Format(rcode)}");
        List<byte[]> found = [];
        DomainName? apex = null;
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        byte[] rdata = new byte[Rdata.MaxOctets];
        RecordReader records = reader.ReadRecords();
        while (records.TryRead())
        {
            if (records.Class != RRClass.IN) continue;
            if (records is { Section: MessageSection.Authority, Type: RRType.SOA } &&
                records.TryExpandOwner(owner, out int octets))
                apex = DomainName.FromOctets(owner[..octets]);
            // Also after an alias, which the resolver has followed.
            if (records is { Section: MessageSection.Answer, Type: RRType.DSYNC } && found.Count < MaxRecords
                && records.TryReadRdata(rdata, out int length) && length >= LeastOctets)
                    found.Add(rdata[..length]);
        }
        return new DsyncAnswer(found, apex, null);
    }

    /// <summary>The first address in a reply that a notification can use; null if there is none.</summary>
    internal static IPAddress? AddressOf(PrimaryQuery query, ReadOnlySpan<byte> message)
    {
        if (!query.IsReply(message) || !MessageReader.TryOpen(message, out MessageReader reader)) return null;
        RecordReader records = reader.ReadRecords();
        while (records.TryRead())
        {
            if (records.Class != RRClass.IN || records.Section != MessageSection.Answer || records.Type != query.Type)
                continue;
            if (records.Rdata.Length != (query.Type == RRType.A ? 4 : 16)) continue;
            IPAddress address = new(records.Rdata);
            bool isUnspecified = address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);
            bool isMulticast = address.IsIPv6Multicast || query.Type == RRType.A && records.Rdata[0] >= 224;
            if (!isUnspecified && !isMulticast) return address;
        }
        return null;
    }

    private static DsyncAnswer Failed(string why) => new([], null, why);
}

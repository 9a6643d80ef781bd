namespace Dns.Replication.Incoming;

/// <summary>A server's answer about the DS RRset of a zone.</summary>
/// <param name="Records">RDATA of the records, empty if there is no such RRset; null = unknown.</param>
/// <param name="Ttl">The TTL of the RRset; null = unknown.</param>
/// <param name="Failure">The reason if the answer is unknown; else null.</param>
public sealed record DsAnswer(IReadOnlyList<byte[]>? Records, TimeSpan? Ttl, string? Failure)
{
    /// <summary>More records than any parent accepts.</summary>
    private const int MaxRecords = 100;

    /// <summary>Parses a reply. Never throws.</summary>
    internal static DsAnswer Read(PrimaryQuery query, ReadOnlySpan<byte> message)
    {
        if (!query.IsReply(message) || !MessageReader.TryOpen(message, out MessageReader reader))
            return Failed("the answer is malformed");
        Rcode rcode = reader.HeaderRcode;
        if (rcode is not (Rcode.NoError or Rcode.NXDomain)) return Failed($"the answer is {RcodeText.Format(rcode)}");
        List<byte[]> found = [];
        uint? ttl = null;
        bool hasSoa = false, hasAlias = false, isOfChild = false;
        RecordReader records = reader.ReadRecords();
        while (records.TryRead())
        {
            if (records.Class != RRClass.IN) continue;
            bool isSoa = records is { Section: MessageSection.Authority, Type: RRType.SOA };
            hasSoa |= isSoa;
            isOfChild |= isSoa && IsOf(query, records);
            hasAlias |= records is { Section: MessageSection.Answer, Type: RRType.CNAME };
            if (records.Section != MessageSection.Answer || records.Type != RRType.DS || !IsOf(query, records))
                continue;
            if (found.Count == MaxRecords) return Failed($"the answer has more than {MaxRecords} DS records");
            found.Add(records.Rdata.ToArray());
            ttl = Math.Min(ttl ?? uint.MaxValue, records.Ttl);
        }
        if (found.Count > 0) return new DsAnswer(found, TimeSpan.FromSeconds(Math.Min(ttl!.Value, int.MaxValue)), null);
        if (hasAlias) return Failed("the answer is an alias");
        // A server of the zone alone denies what its parent may have (RFC 4035 §3.1.4.1).
        if (isOfChild) return Failed("the answer is of the zone itself, expected one of its parent");
        // Without an SOA it may be a referral, or come from a server without the zone (RFC 2308 §2.2).
        return hasSoa ? new DsAnswer([], null, null)
            : Failed("the answer has neither DS records nor the SOA that says there are none");
    }

    private static bool IsOf(PrimaryQuery query, RecordReader records)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        return records.TryExpandOwner(owner, out int octets) &&
            WireName.EqualsIgnoreCase(owner[..octets], query.Zone.Octets);
    }

    internal static DsAnswer Failed(string why) => new(null, null, why);
}

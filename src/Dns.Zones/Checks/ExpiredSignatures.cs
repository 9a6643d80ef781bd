namespace Dns.Zones.Checks;

/// <summary>Finds expired signatures: validating resolvers reject what they cover (RFC 4035 §5.3.1).</summary>
public static class ExpiredSignatures
{
    // RFC 4034 §3.1.
    private const int ExpirationAt = 8, FixedOctets = 18;

    /// <summary>The first expired signature, and how many more there are; null if there is none.</summary>
    /// <param name="now">The time in seconds since 1970, modulo 2^32 (RFC 4034 §3.1.5).</param>
    public static RecordDiagnostic? Find(Zone zone, uint now)
    {
        if (!zone.IsSigned) return null;
        RecordDiagnostic? first = null;
        int count = 0;
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
            {
                if (rrset.Type != RRType.RRSIG) continue;
                foreach (ReadOnlySpan<byte> rdata in rrset)
                {
                    if (rdata.Length < FixedOctets) continue;
                    uint expiration = BinaryPrimitives.ReadUInt32BigEndian(rdata[ExpirationAt..]);
                    if (!SerialNumber.IsGreater(now, expiration)) continue;
                    count++;
                    first ??= Describe(node, rdata, expiration);
                }
            }
        string more = count > 1 ? $" (and {count - 1} more)" : "";
        return first is null
            ? null : first with { Message = $"{first.Message}{more}: validating resolvers reject them" };
    }

    private static RecordDiagnostic Describe(ZoneNode node, ReadOnlySpan<byte> rdata, uint expiration)
    {
        RRType covered = (RRType)BinaryPrimitives.ReadUInt16BigEndian(rdata);
        string time = DateTime.UnixEpoch.AddSeconds(expiration).ToString("u", CultureInfo.InvariantCulture);
        return new RecordDiagnostic(Severity.Warning, DomainName.FromOctets(node.Name), RRType.RRSIG, rdata.ToArray(),
            $"found an RRSIG over {RRTypeText.Format(covered)} at {NameText.ToText(node.Name)} that expired {time}");
    }
}

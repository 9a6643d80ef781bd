namespace Dns.Client;

/// <summary>Prints after a reply which keys signed it and, with anchors, whether a chain leads to it.</summary>
public sealed class ChainPrinter(TextWriter output, DateTimeOffset now)
{
    /// <summary>Prints the signers, what they signed and until when. Nothing is verified.</summary>
    public void Print(byte[] message)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader)) return;
        RecordReader records = reader.ReadRecords();
        byte[] owner = new byte[WireName.MaxOctets], rdata = new byte[Rdata.MaxOctets];
        bool isFirst = true;
        while (records.TryRead())
        {
            if (records.Type != RRType.RRSIG || !records.TryExpandOwner(owner, out int ownerOctets)) continue;
            if (!records.TryReadRdata(rdata, out int octets)) continue;
            if (!RrsigFields.TryRead(rdata.AsSpan(0, octets), out RrsigFields fields)) continue;
            if (isFirst) output.WriteLine(";; SIGNATURES (not verified, --anchor FILE does):");
            isFirst = false;
            string state = fields.IsExpired(RrsigFields.SecondsOf(now)) ? ", expired"
                : fields.IsEarly(RrsigFields.SecondsOf(now)) ? ", not valid yet" : "";
            output.WriteLine(
                $";; {RRTypeText.Format(fields.TypeCovered)} at {NameText.ToText(owner.AsSpan(0, ownerOctets))}: "
                + $"{NameText.ToText(fields.Signer)} {DnssecAlgorithms.NameOf(fields.Algorithm)}/{fields.KeyTag}, "
                +
                $"{Time(RrsigFields.TimeOf(fields.Inception, now))} to " +
                $"{Time(RrsigFields.TimeOf(fields.Expiration, now))}{state}");
        }
    }

    /// <summary>Prints the chain from the anchor on, what each RRset is worth, and the verdict.</summary>
    /// <returns>Whether the answer is secure, or it is proved that it cannot be.</returns>
    public bool Print(ValidationResult result)
    {
        output.WriteLine(";; CHAIN:");
        foreach (ZoneTrust zone in result.Chain)
        {
            string entry = zone.Entry is { } key ? $", {key} signs its keys" : "";
            output.WriteLine($";; {zone.Zone} {Word(zone.Status)}{entry}{Because(zone.Reason)}");
        }
        foreach (ValidatedRRset rrset in result.RRsets)
        {
            string what = $"{RRTypeText.Format(rrset.Type)} at {rrset.Owner}";
            string by = rrset.Signer is { } signer
                ? $", signed by {signer} {rrset.Key}, until {Time(rrset.Expiration!.Value)}" : "";
            string wildcard = rrset.IsExpanded ? ", of a wildcard" : "";
            output.WriteLine($";; {what}: {Word(rrset.Status)}{by}{wildcard}{Because(rrset.Reason)}");
        }
        output.WriteLine($";; VERDICT: {Word(result.Status)}{Because(result.Reason)}");
        return result.Status is SecurityStatus.Secure or SecurityStatus.Insecure;
    }

    private static string Because(string reason) => reason.Length == 0 ? "" : $": {reason}";

    private static string Word(SecurityStatus status) => status.ToString().ToLowerInvariant();

    private static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("u", CultureInfo.InvariantCulture);
}

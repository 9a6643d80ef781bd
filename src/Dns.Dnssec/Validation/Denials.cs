namespace Dns.Dnssec.Validation;

/// <summary>Finds the denial records of a message with valid signatures.</summary>
internal static class Denials
{
    /// <summary>The proof of a zone's records in the authority section; null if none verify.</summary>
    internal static IDenial? Of(ReadOnlySpan<byte> zone, ReceivedMessage message, RRsetValidation validation,
        ValidationWork work)
    {
        List<ReceivedRRset> nsec = [], hashed = [];
        foreach (ReceivedRRset rrset in message.RRsets)
        {
            if (rrset.Section != MessageSection.Authority || rrset.Rdata.Count == 0) continue;
            if (rrset.Type is not (RRType.NSEC or RRType.NSEC3) || !WireName.IsAtOrBelow(rrset.Owner, zone)) continue;
            ValidatedRRset validated = validation.Verify(rrset);
            // An NSEC record expanded from a wildcard proves nothing about its owner.
            if (validated.Status != SecurityStatus.Secure || validated.IsExpanded) continue;
            (rrset.Type == RRType.NSEC ? nsec : hashed).Add(rrset);
        }
        if (nsec.Count > 0) return new NsecDenialProof(nsec);
        return hashed.Count > 0 ? new Nsec3DenialProof(zone, hashed, work) : null;
    }

    /// <summary>The zone that signed the denial records of a message; null if there are none.</summary>
    internal static byte[]? SignerOf(ReceivedMessage message)
    {
        foreach (ReceivedRRset rrset in message.RRsets)
            if (rrset.Section == MessageSection.Authority && rrset.Type is RRType.NSEC or RRType.NSEC3 &&
                rrset.Signer is byte[] signer)
                return signer;
        return null;
    }
}

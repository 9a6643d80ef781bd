namespace Dns.Telemetry.Metrics;

/// <summary>Why validating resolvers reject answers of a signed zone, or will soon.</summary>
public readonly record struct SignatureFault(bool IsExpired, string Text)
{
    internal const string NoDenial =
        "validating resolvers reject its negative answers, sent without NSEC or NSEC3 records";

    // Signers elsewhere renew signatures days before they expire, so this leaves a weekend to notice.
    private static readonly TimeSpan Soon = TimeSpan.FromDays(3);

    /// <summary>That of a zone now; null if there is none.</summary>
    public static SignatureFault? Of(ZoneSlot slot, DateTimeOffset now)
    {
        if (slot.Zone is not { IsSigned: true } zone) return null;
        if (!zone.CanDeny) return new(false, NoDenial);
        // The server renews its own signatures in time.
        if (OfDates(zone, now) is { } late && (late.IsExpired || !slot.IsSignedHere)) return late;
        return zone.DenialCheck?.Fault is { } fault
            ? new(false, $"{fault}: validating resolvers reject some of its answers") : null;
    }

    /// <summary>That of the dates of its signatures; null if all are good for days.</summary>
    public static SignatureFault? OfDates(Zone zone, DateTimeOffset now)
    {
        if (ExpiryOf(zone) is not { } expiry || expiry - now >= Soon) return null;
        string time = expiry.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);
        return expiry <= now
            ? new(true, $"signatures expired at {time}: validating resolvers reject its answers")
            : new(false, $"signatures expire at {time}");
    }

    /// <summary>When the first signature of a zone expires; null if it has none.</summary>
    public static DateTimeOffset? ExpiryOf(Zone? zone) =>
        zone?.Signatures?.Earliest is { } seconds ? DateTimeOffset.FromUnixTimeSeconds(seconds) : null;
}

using Microsoft.Extensions.Logging;

namespace Dns.Features.Signing;

/// <summary>Logs events of signing.</summary>
public sealed class SigningLog(ILogger<SigningLog> logger) : ISigningObserver
{
    public void OnSigned(DomainName zone, Zone signed, uint sourceSerial, SigningResult result, TimeSpan took) =>
        logger.ZoneSigned(
            zone, signed.Serial, $"{sourceSerial}", Counted.Of(result.SignaturesMade, "signature"),
            result.SignaturesKept, took.TotalSeconds);

    public void OnFailed(DomainName zone, string reason) => logger.ZoneNotSigned(zone, reason);

    public void OnRecovered(DomainName zone) => logger.ZoneSignedAgain(zone);

    public void OnKeys(DomainName zone, KeyEvent decision) =>
        logger.KeysChanged(zone, KeyText.Of(decision));

    public void OnFirstKeys(DomainName zone, string folder) => logger.FirstKeysMade(zone, folder);

    public void OnKeysOpen(DomainName zone, string what) => logger.KeysOpen(zone, what);

    public void OnBroken(DomainName zone, string problem) => logger.SignedCopyBroken(zone, problem);

    public void OnParentWanted(DomainName zone, bool isRemoval) => logger.ParentWanted(
        zone,
        isRemoval ? $"remove its DS records (then \"dnsd keys submitted {zone}\")"
            : $"change its DS records (\"dnsd keys ds {zone}\"; then \"dnsd keys submitted {zone}\")");

    public void OnParentNotified(DomainName zone, string what) => logger.ParentNotified(zone, what);

    /// <summary>A zone is not signed any more, though its parent may have a DS RRset.</summary>
    public void OnUnsigned(DomainName zone) => logger.ZoneNotSignedAnyMore(zone);

    public void OnLeft(DomainName zone) => logger.ZoneLeft(zone);

    public void OnLeftBehind(DomainName zone, uint served) => logger.ZoneLeftBehind(zone, served);

    public void OnSignedElsewhere(DomainName zone, bool isServed) => logger.ZoneSignedElsewhere(zone, isServed
        ? "a key that is here, too: it is served as its source has it"
        : "other keys than those here, which sign it while its parent may have DS records of them: if it has those of "
            + "the source, set \"Dnssec\": \"off-now\"");

    public void OnSignedHereAgain(DomainName zone) => logger.ZoneSignedHereAgain(zone);

    public void OnBundleEnding(DomainName zone, DateTimeOffset end) => logger.BundleEnding(zone, $"{end:u}");

    public void OnCrash(DomainName zone, Exception error) => logger.SigningFault(error, zone);
}

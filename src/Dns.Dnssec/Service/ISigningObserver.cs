namespace Dns.Dnssec.Service;

/// <summary>Receives signing events. Called by several threads at once; must not throw.</summary>
public interface ISigningObserver
{
    /// <summary>A whole zone was signed.</summary>
    void OnSigned(DomainName zone, Zone signed, uint sourceSerial, SigningResult result, TimeSpan took);

    /// <summary>A zone cannot be signed, or its keys not be saved; it is retried.</summary>
    void OnFailed(DomainName zone, string reason);

    /// <summary>A zone that could not be signed is signed again.</summary>
    void OnRecovered(DomainName zone);

    /// <summary>A decision about the keys of a zone.</summary>
    void OnKeys(DomainName zone, KeyEvent decision);

    /// <summary>The first keys of a zone were made: it had none in the folder.</summary>
    void OnFirstKeys(DomainName zone, string folder);

    /// <summary>Others can access private keys of a zone.</summary>
    void OnKeysOpen(DomainName zone, string what);

    /// <summary>Saved data of a zone is damaged; the missing part is signed again.</summary>
    void OnBroken(DomainName zone, string problem);

    /// <summary>The parent should check the zone's CDS records (RFC 9859).</summary>
    /// <param name="isRemoval">Whether they request that the DS records are removed (RFC 8078).</param>
    void OnParentWanted(DomainName zone, bool isRemoval);

    /// <summary>A zone whose policy was removed is served as its source has it: no cache needs signatures.</summary>
    void OnLeft(DomainName zone);

    /// <summary>The same, with a source that is signed and has no greater serial than was served.</summary>
    /// <param name="served">That serial, which secondaries may have.</param>
    void OnLeftBehind(DomainName zone, uint served);

    /// <summary>A zone that was signed here has no policy any more, and its source is signed.</summary>
    /// <param name="isServed">Whether the source is served, since its keys are those that are here; else the zone is
    /// still signed here.</param>
    void OnSignedElsewhere(DomainName zone, bool isServed);

    /// <summary>A zone whose signed source was served is signed here again: its source is not signed.</summary>
    void OnSignedHereAgain(DomainName zone);

    /// <summary>The signatures of an offline KSK will expire; reported once a day.</summary>
    /// <param name="end">When the last of them expires.</param>
    void OnBundleEnding(DomainName zone, DateTimeOffset end);

    /// <summary>An exception, a bug. The zone is retried.</summary>
    void OnCrash(DomainName zone, Exception error);
}

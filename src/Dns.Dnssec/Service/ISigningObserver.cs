using Dns.Protocol;
using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>Told how the signing of zones goes. Called by several threads at once; must not throw.</summary>
public interface ISigningObserver
{
    /// <summary>A whole zone has been signed, or signed anew.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="signed">What was made.</param>
    /// <param name="sourceSerial">The serial of what it was made of.</param>
    /// <param name="result">How much of it is new.</param>
    /// <param name="took">How long it took.</param>
    void OnSigned(DomainName zone, Zone signed, uint sourceSerial, SigningResult result, TimeSpan took);

    /// <summary>A zone cannot be signed, or its keys not be kept; it is tried again.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="reason">Why, for people.</param>
    void OnFailed(DomainName zone, string reason);

    /// <summary>A zone that could not be signed is signed again.</summary>
    void OnRecovered(DomainName zone);

    /// <summary>Something was decided about the keys of a zone.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="what">What, for people.</param>
    void OnKeys(DomainName zone, string what);

    /// <summary>Others can get at private keys of a zone.</summary>
    void OnKeysOpen(DomainName zone, string what);

    /// <summary>What was kept of a zone is broken; it is signed anew as far as it is.</summary>
    void OnBroken(DomainName zone, string problem);

    /// <summary>The parent is to look at the zone's CDS records (RFC 9859).</summary>
    void OnParentWanted(DomainName zone);

    /// <summary>A zone whose policy was taken away is served without signatures from now on: no cache needs them.</summary>
    void OnLeft(DomainName zone);

    /// <summary>The signatures of a KSK that is kept elsewhere are about to end; told once a day.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="end">When the last of them ends.</param>
    void OnBundleEnding(DomainName zone, DateTimeOffset end);

    /// <summary>An exception, which is a fault of this program. The zone is tried again.</summary>
    void OnCrash(DomainName zone, Exception error);
}

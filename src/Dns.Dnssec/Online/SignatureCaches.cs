namespace Dns.Dnssec.Online;

/// <summary>
/// The cached signatures of all zones that are signed online: elliptic curves, and separately the longer ones of RSA,
/// used only during an algorithm rollover. Each is created at first use.
/// </summary>
/// <param name="octets">The maximum size of each.</param>
internal sealed class SignatureCaches(long octets)
{
    private const int MostOfCurves = 128;

    private readonly Lazy<SignatureCache> _ofCurves = new(() => new SignatureCache(octets, MostOfCurves));
    private readonly Lazy<SignatureCache> _others =
        new(() => new SignatureCache(octets, SigningKey.MaxSignatureOctets));
    private long _made;

    /// <summary>Signatures made so far.</summary>
    internal long Made => Interlocked.Read(ref _made);

    internal SignatureCache For(SigningKey key) => (key.SignatureOctets <= MostOfCurves ? _ofCurves : _others).Value;

    internal void CountMade() => Interlocked.Increment(ref _made);
}

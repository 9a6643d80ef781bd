using Microsoft.Extensions.Logging;

namespace Dns.Features.Signing;

/// <summary>Events 1201 to 1299: zones that are signed here.</summary>
public static partial class SigningEvents
{
    /// <summary>A whole zone was signed, or checked again because its keys or policy have changed.</summary>
    [LoggerMessage(1201, LogLevel.Information,
        "Zone {Zone} is signed: serial {Serial} of source serial {Source}, {Made} made, {Kept:N0} kept, in " +
            "{Seconds:N2} s")]
    public static partial void ZoneSigned(
        this ILogger logger, DomainName zone, uint serial, string source, string made, long kept, double seconds);

    /// <summary>
    /// Remove the cause. Until then the last signed version is served; a zone that was never signed is served unsigned.
    /// Retried after 5 seconds, then at growing intervals up to an hour.
    /// </summary>
    [LoggerMessage(1202, LogLevel.Error, "Signing of zone {Zone} is incomplete: {Why}")]
    public static partial void ZoneNotSigned(this ILogger logger, DomainName zone, string why);

    /// <summary>The cause of D1202 is gone.</summary>
    [LoggerMessage(1203, LogLevel.Information, "Signing of zone {Zone} is complete")]
    public static partial void ZoneSignedAgain(this ILogger logger, DomainName zone);

    /// <summary>A key was made, published, activated, retired or removed, or waits for the parent.</summary>
    [LoggerMessage(1204, LogLevel.Information, "Keys of zone {Zone}: {What}")]
    public static partial void KeysChanged(this ILogger logger, DomainName zone, string what);

    /// <summary>The signed copy in the state directory is damaged: the zone is signed again. Check the disk.</summary>
    [LoggerMessage(1205, LogLevel.Warning, "The signed copy of zone {Zone} is damaged: {Problem}")]
    public static partial void SignedCopyBroken(this ILogger logger, DomainName zone, string problem);

    /// <summary>
    /// CDS and CDNSKEY records ask the parent for other DS records, or, of a zone that stops being signed, for none. If
    /// the parent does not poll them, submit the DS records, or have them removed, by hand.
    /// </summary>
    [LoggerMessage(1206, LogLevel.Information, "The parent of zone {Zone} must {What}")]
    public static partial void ParentWanted(this ILogger logger, DomainName zone, string what);

    /// <summary>A defect of the server: please report it. The zone is retried.</summary>
    [LoggerMessage(1207, LogLevel.Error, "Signing zone {Zone} failed")]
    public static partial void SigningFault(this ILogger logger, Exception error, DomainName zone);

    /// <summary>
    /// "Dnssec": "off-now" was set while the parent may still have DS records: validating resolvers then reject the
    /// zone. Restore its policy, or set "off"; not where the source is signed with keys whose DS records the parent
    /// has.
    /// </summary>
    [LoggerMessage(1208, LogLevel.Warning,
        "Zone {Zone} is not signed any more, and its parent may have its DS records")]
    public static partial void ZoneNotSignedAnyMore(this ILogger logger, DomainName zone);

    /// <summary>
    /// A holder of a private key can sign in the name of the zone: restrict the file to the server, and roll the key
    /// over. The private key of an offline KSK belongs on its own machine: move it there.
    /// </summary>
    [LoggerMessage(1209, LogLevel.Warning, "Keys of zone {Zone}: {What}")]
    public static partial void KeysOpen(this ILogger logger, DomainName zone, string what);

    /// <summary>
    /// The policy was removed, and since then the DS records are gone from the parent and from all caches.
    /// </summary>
    [LoggerMessage(1210, LogLevel.Information,
        "Zone {Zone} is not signed here any more: its DS records are gone")]
    public static partial void ZoneLeft(this ILogger logger, DomainName zone);

    /// <summary>
    /// Validating resolvers reject the zone after that time. Make a request, sign it where the KSK is, and load the
    /// bundle. Logged once a day.
    /// </summary>
    [LoggerMessage(1211, LogLevel.Warning,
        "Zone {Zone}: the signatures of its KSK expire at {End}, and no later bundle is loaded")]
    public static partial void BundleEnding(this ILogger logger, DomainName zone, string end);

    /// <summary>
    /// The parent should process new CDS and CDNSKEY records: the servers of its DSYNC records that are notified, or
    /// why none is. Logged once a day until it has done so.
    /// </summary>
    [LoggerMessage(1212, LogLevel.Information, "Parent of zone {Zone}: {What}")]
    public static partial void ParentNotified(this ILogger logger, DomainName zone, string what);

    /// <summary>
    /// Expected of a zone that was never signed. If its parent has DS records of other keys, validating resolvers
    /// reject it: check that the state directory is the right one and is mounted, and put its keys back, without the
    /// files of the zone in <c>signed</c> that were made meanwhile.
    /// </summary>
    [LoggerMessage(1213, LogLevel.Warning,
        "Zone {Zone} had no keys in {Folder}, new ones are made: if its parent has DS records, put the old keys back")]
    public static partial void FirstKeysMade(this ILogger logger, DomainName zone, string folder);

    /// <summary>
    /// A secondary that was signed here has no <c>Dnssec</c> any more, and its primary signs it. With a key that is
    /// here too, as after a secondary with a copy of the keys became the primary, the keys here are not used while the
    /// source has signatures: if the primary has the keys, stop the server and remove the files of the zone from
    /// <c>keys</c> and <c>signed</c>, so that one server has them. With other keys the zone is signed here as long as
    /// its parent may have DS records of those here.
    /// </summary>
    [LoggerMessage(1214, LogLevel.Warning, "Zone {Zone} has no DNSSEC policy, and its source is signed with {Keys}")]
    public static partial void ZoneSignedElsewhere(this ILogger logger, DomainName zone, string keys);

    /// <summary>
    /// The policy was removed, the DS records are gone from the parent and from all caches, and the source is signed by
    /// another server: another serial would make its signatures invalid. Secondaries keep the version that they have
    /// until the source has a greater serial: give it one.
    /// </summary>
    [LoggerMessage(1215, LogLevel.Warning,
        "Zone {Zone} is not signed here any more, and its signed source has no greater serial than {Served}")]
    public static partial void ZoneLeftBehind(this ILogger logger, DomainName zone, uint served);

    /// <summary>
    /// The source of a zone without a policy was served with signatures of its own (D1214), and has none any more, or
    /// is a file. If the primary has stopped signing and the parent has no DS records, set <c>"Dnssec": "off-now"</c>.
    /// If no other server ever signed the zone, this one has got its own signatures back: protect the transfers with
    /// TSIG.
    /// </summary>
    [LoggerMessage(1216, LogLevel.Warning,
        "Zone {Zone} is signed here again until its DS records are gone: its source is not signed by another server")]
    public static partial void ZoneSignedHereAgain(this ILogger logger, DomainName zone);
}

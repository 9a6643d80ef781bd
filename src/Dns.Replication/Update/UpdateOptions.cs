namespace Dns.Replication.Update;

/// <summary>Limits of updates.</summary>
public sealed record UpdateOptions
{
    private const int QuestionFixedOctets = 4;
    private const int OptOctets = 11;

    /// <summary>What signing adds: a signature of 256 octets in each RRset and each proof.</summary>
    internal const long SigningBytes = 512;

    // DNSKEY, CDS, CDNSKEY, NSEC3PARAM, ZONEMD and NSEC.
    private const int TypesOfSigning = 6;

    /// <summary>
    /// The maximum number of queued updates, of which one client has at most half; others get SERVFAIL.
    /// </summary>
    public int MaxWaiting { get; init; } = 1024;

    /// <summary>
    /// The maximum number of queued updates of one zone, of which one client has at most half; others get SERVFAIL.
    /// </summary>
    public int MaxWaitingOfZone { get; init; } = 512;

    /// <summary>The maximum octets of queued messages, of which one client has at most half.</summary>
    public long MaxWaitingOctets { get; init; } = 16 << 20;

    /// <summary>The maximum number of zones changed concurrently.</summary>
    public int MaxWriters { get; init; } = 4;

    /// <summary>The maximum number of updates that share one flush.</summary>
    public int MaxGroup { get; init; } = 128;

    /// <summary>
    /// The octets of records from which on a group is complete: those at the updated names, and those that change. A
    /// message of some octets may change the TTL of thousands of records, and each of a group makes a version.
    /// </summary>
    public long MaxGroupOctets { get; init; } = 4 << 20;

    /// <summary>
    /// The time from which on a group is complete, whatever its updates are: another client has a turn.
    /// </summary>
    public TimeSpan MaxGroupTime { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// The maximum octets of RDATA that an update adds: a message holds them with question, OPT, the longest owner
    /// without compression and the longest TSIG. A zone with a longer record has no transfer.
    /// </summary>
    public int MaxRdataOctets { get; init; } =
        ushort.MaxValue - MessageHeader.LengthOctets - (WireName.MaxOctets + QuestionFixedOctets) - OptOctets
        - (WireName.MaxOctets + RecordReader.FixedOctets) - TsigKey.MaxRecordOctetsOfAny;

    /// <summary>
    /// The maximum octets of an RRset that an update enlarges, with 12 octets for each record beside its RDATA: a
    /// message holds them with question, OPT, TSIG and two signatures of the longest keys. An RRset that no message
    /// holds is SERVFAIL for all who query it.
    /// </summary>
    public long MaxRRsetOctets { get; init; } = 60 << 10;

    /// <summary>The same of DNSKEY, CDS and CDNSKEY at the apex, where signing adds keys and signatures.</summary>
    public long MaxKeyOctets => MaxRRsetOctets * 4 / 5;

    /// <summary>
    /// The maximum octets of the records that the names of one update have before it, unless it has one name only: all
    /// are held while it is evaluated.
    /// </summary>
    public long MaxMessageOctets { get; init; } = 4 << 20;

    /// <summary>The same of all records of a name. Each update of a name takes time for all of them.</summary>
    public long MaxNameOctets { get; init; } = 512 << 10;

    /// <summary>
    /// The maximum number of records of a type at a name that an update enlarges. The default is that of BIND
    /// (max-records-per-type), which rejects transfers of zones with more.
    /// </summary>
    public int MaxRecordsOfType { get; init; } = 100;

    /// <summary>
    /// The maximum number of types at a name that an update adds to: 48 of the 100 that zone data may have. A secondary
    /// with BIND and the same limit (max-types-per-name) counts NSEC and the signatures of each type, too.
    /// </summary>
    public int MaxTypesOfName => Math.Max(1, Math.Min(Limits.TypesPerName * 12 / 25, Limits.TypesPerName / 2 - 1));

    /// <summary>
    /// The same at the apex: five sixths, and room for the types of signing with their signatures. SOA and NS at least.
    /// </summary>
    public int MaxTypesOfApex =>
        Math.Max(2, Math.Min(MaxTypesOfName * 5 / 6, Limits.TypesPerName / 2 - TypesOfSigning));

    /// <summary>The same of DNSKEY, CDS and CDNSKEY at the apex, where signing adds those of its keys.</summary>
    public int MaxKeysOfType => Math.Max(1, MaxRecordsOfType * 4 / 5);

    /// <summary>
    /// The number of empty non-terminals of a zone, beside 16 for each record, above which no update adds more: a name
    /// of a hundred labels, which takes some octets in a message, may make as many nodes, and in a zone signed with
    /// NSEC3 as many proofs. By default 2^20, and at most one for 8 KiB of the memory that the process may use.
    /// </summary>
    public int MaxEmptyNames { get; init; } = (int)Math.Min(1 << 20, TransferOptions.ProcessBytes / (8 << 10));

    /// <summary>
    /// The bytes of memory of all updated zones above which no update makes a zone larger; of one signed here with
    /// <see cref="SigningBytes"/> for each name and each record. By default half of what the process may use.
    /// </summary>
    public long MaxZoneBytes { get; init; } = TransferOptions.ProcessBytes / 2;

    /// <summary>
    /// The bytes of memory above which a journal is not condensed to one change; null = by the memory that is left.
    /// </summary>
    public long? MaxCondensedBytes { get; init; }

    /// <summary>
    /// The maximum number of records of a zone whose base version is kept beside its journal: such a zone is still
    /// served if its file is edited while the server is down. The version is written once, at the first change.
    /// </summary>
    public long MaxKeptRecords { get; init; } = 10_000;

    /// <summary>Limits of zone data.</summary>
    public ZoneLimits Limits { get; init; } = ZoneLimits.Default;

    /// <summary>Limits of journals.</summary>
    public JournalOptions Journal { get; init; } = new() { MaxOctets = 256 << 20 };
}

using System.Buffers;

namespace Dns.Replication.Update;

/// <summary>A parsed UPDATE message (RFC 2136 §2), copied out of the transport's memory.</summary>
public sealed class UpdateMessage
{
    // SHA-1 in base32hex.
    private const int HashOctets = 32;

    private static readonly SearchValues<byte> HashDigits =
        SearchValues.Create("0123456789abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUV"u8);

    private UpdateMessage(DomainName zone, IReadOnlyList<UpdateRecord> prerequisites,
        IReadOnlyList<UpdateRecord> updates) =>
        (Zone, Prerequisites, Updates) = (zone, prerequisites, updates);

    /// <summary>The zone's name in the letter case of the message.</summary>
    public DomainName Zone { get; }

    /// <summary>The prerequisites.</summary>
    public IReadOnlyList<UpdateRecord> Prerequisites { get; }

    /// <summary>The updates, in order.</summary>
    public IReadOnlyList<UpdateRecord> Updates { get; }

    /// <summary>
    /// The result of the prescan (RFC 2136 §3.4.1): NOERROR, FORMERR or NOTZONE; it is the answer unless a prerequisite
    /// fails first. <see cref="Updates"/> then ends before the wrong record.
    /// </summary>
    public Rcode Prescan { get; private init; }

    /// <summary>Parses the zone section (RFC 2136 §3.1.1).</summary>
    /// <returns>False if it is not one question of type SOA: FORMERR.</returns>
    public static bool TryReadZone(ReadOnlySpan<byte> octets, [NotNullWhen(true)] out DomainName? zone,
        out RRClass rrClass)
    {
        (zone, rrClass) = (null, default);
        if (!MessageReader.TryOpen(octets, out MessageReader message) || message.Count(MessageSection.Question) != 1)
            return false;
        if (!message.TryReadQuestion(out QuestionReader question) || question.Type != RRType.SOA) return false;
        if (!question.TryGetName(out ReadOnlySpan<byte> name)) return false;
        (zone, rrClass) = (DomainName.FromOctets(name), question.Class);
        return true;
    }

    /// <summary>Parses a message whose zone section was parsed. Never throws.</summary>
    /// <param name="zone">Its zone, of class IN.</param>
    /// <returns>FORMERR or NOTZONE if message or prerequisites are malformed; else NOERROR.</returns>
    public static Rcode Read(ReadOnlySpan<byte> octets, DomainName zone, out UpdateMessage? message)
    {
        message = null;
        if (!IsWellFormed(octets)) return Rcode.FormErr;
        byte[] room = ArrayPool<byte>.Shared.Rent(Rdata.MaxOctets);
        try
        {
            return Read(octets, zone, room, out message);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(room);
        }
    }

    private static Rcode Read(ReadOnlySpan<byte> octets, DomainName zone, byte[] room, out UpdateMessage? message)
    {
        message = null;
        List<UpdateRecord> prerequisites = [], updates = [];
        Rcode prescan = Rcode.NoError;
        MessageReader.TryOpen(octets, out MessageReader reader);
        RecordReader records = reader.ReadRecords();
        while (prescan == Rcode.NoError && records.TryRead() && records.Section != MessageSection.Additional)
        {
            bool isUpdate = records.Section == MessageSection.Authority;
            Rcode rcode = Read(in records, zone, isUpdate, room, out UpdateRecord? record);
            if (record is not null) (isUpdate ? updates : prerequisites).Add(record);
            else if (isUpdate) prescan = rcode;
            else return rcode;
        }
        message = new UpdateMessage(zone, prerequisites, updates) { Prescan = prescan };
        return Rcode.NoError;
    }

    private static bool IsWellFormed(ReadOnlySpan<byte> octets)
    {
        if (!MessageReader.TryOpen(octets, out MessageReader reader)) return false;
        RecordReader records = reader.ReadRecords();
        while (records.TryRead()) { }
        return !records.IsMalformed;
    }

    private static Rcode Read(scoped in RecordReader record, DomainName zone, bool isUpdate, byte[] room,
        out UpdateRecord? read)
    {
        read = null;
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        if (!record.TryExpandOwner(owner, out int octets)) return Rcode.FormErr;
        owner = owner[..octets];
        if (!WireName.IsAtOrBelow(owner, zone.Octets)) return Rcode.NotZone;
        bool hasData = record.Class == RRClass.IN || isUpdate && record.Class == RRClass.NONE;
        if (!IsAllowed(in record, isUpdate, hasData)) return Rcode.FormErr;
        byte[] rdata = [];
        if (hasData)
        {
            if (!record.TryReadRdata(room, out octets, isStrict: true)) return Rcode.FormErr;
            rdata = room[..octets];
            if (isUpdate && record.Class == RRClass.IN && IsRejectedByOthers(owner, zone, record.Type, rdata))
                return Rcode.FormErr;
        }
        // RFC 2181 §8: a TTL with the top bit set counts as 0.
        uint ttl = record.Ttl > int.MaxValue ? 0 : record.Ttl;
        read = new UpdateRecord(DomainName.FromOctets(owner), record.Type, record.Class, ttl, rdata);
        return Rcode.NoError;
    }

    // A client that may change one name would stop transfers of the zone to other servers. Deleting is permitted.
    private static bool IsRejectedByOthers(ReadOnlySpan<byte> owner, DomainName zone, RRType type, byte[] rdata) =>
        type switch
        {
            RRType.NS => owner is [1, (byte)'*', ..],
            RRType.NSEC3 => !IsHash(owner, zone),
            RRType.DNSKEY when owner.Length != zone.Octets.Length => true,
            RRType.NULL when rdata.Length == 0 => true,
            _ => Rdata.FindPortabilityFault(type, rdata) is not null,
        };

    /// <summary>Whether an owner is a hash in base32hex below the apex (RFC 5155 §3).</summary>
    private static bool IsHash(ReadOnlySpan<byte> owner, DomainName zone) =>
        owner.Length == 1 + HashOctets + zone.Octets.Length && owner[0] == HashOctets
        && owner[1..(1 + HashOctets)].IndexOfAnyExcept(HashDigits) < 0;

    /// <summary>Whether class, TTL and type are a valid combination (RFC 2136 §3.2, §3.4.1).</summary>
    private static bool IsAllowed(scoped in RecordReader record, bool isUpdate, bool hasData)
    {
        if (record.Class is not (RRClass.IN or RRClass.ANY or RRClass.NONE)) return false;
        bool isAdded = isUpdate && record.Class == RRClass.IN;
        if (!isAdded && record.Ttl != 0 || !hasData && record.RdataOctets != 0) return false;
        return !Rdata.IsMeta(record.Type) || record.Type == RRType.ANY && !hasData;
    }
}

namespace Dns.Replication.Incoming;

/// <summary>A primary's answer about its version of a zone.</summary>
/// <param name="ExpireSeconds">The EXPIRE option (RFC 7314), in seconds; null = none.</param>
public readonly record struct SoaAnswer(uint Serial, uint? ExpireSeconds)
{
    private const int SerialFromEnd = 20;

    /// <summary>Parses the reply to a query for the SOA.</summary>
    /// <param name="now">Seconds since 1970.</param>
    public static bool TryRead(
        PrimaryQuery query, ReadOnlySpan<byte> message, long now, out SoaAnswer answer,
        [NotNullWhen(false)] out TransferFailure? failure)
    {
        answer = default;
        failure = query.Evaluate(message, now, out bool isProven);
        if (failure is not null) return false;
        if (!isProven || !query.IsReply(message) || !MessageReader.TryOpen(message, out MessageReader reader))
            failure = new(TransferFailureKind.WrongReply, "the answer is none to the query for the SOA");
        else if ((reader.Flags & MessageHeader.AuthoritativeAnswer) == 0)
            failure = new(TransferFailureKind.WrongReply, "the answer is not authoritative (AA is clear)");
        else if (TryReadSerial(query, reader.ReadRecords(), out uint serial))
            answer = new SoaAnswer(serial, ReadExpire(reader));
        else
            failure = new(TransferFailureKind.WrongReply, $"the answer has no SOA of {query.Zone}");
        return failure is null;
    }

    /// <summary>The EXPIRE option of a message, in seconds; null = none.</summary>
    internal static uint? ReadExpire(MessageReader reader) =>
        reader.TryFindOpt(out OptReader opt) && opt.TryFind(EdnsOptionCode.Expire, out ReadOnlySpan<byte> data) &&
            data.Length == 4
            ? BinaryPrimitives.ReadUInt32BigEndian(data) : null;

    private static bool TryReadSerial(PrimaryQuery query, RecordReader records, out uint serial)
    {
        serial = 0;
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        while (records.TryRead())
        {
            if (records.Section != MessageSection.Answer || records.Type != RRType.SOA || records.Class != RRClass.IN)
                continue;
            if (!records.TryExpandOwner(owner, out int octets) ||
                !WireName.EqualsIgnoreCase(owner[..octets], query.Zone.Octets)) continue;
            // At least two names of one octet.
            if (records.RdataOctets < SerialFromEnd + 2) return false;
            serial = BinaryPrimitives.ReadUInt32BigEndian(records.Rdata[^SerialFromEnd..]);
            return true;
        }
        return false;
    }
}

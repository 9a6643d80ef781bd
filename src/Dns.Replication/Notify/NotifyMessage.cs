namespace Dns.Replication.Notify;

/// <summary>Writes notifications, and parses their answers (RFC 1996 §3).</summary>
internal static class NotifyMessage
{
    /// <summary>The maximum length of a notification: an uncompressed SOA and a signature.</summary>
    public const int MostOctets = 2048;

    // A longer datagram may be fragmented: the SOA is omitted.
    private const int MostWithSoaOctets = 1232;

    /// <summary>
    /// Writes and signs a notification; returns its length. One of SOA has that of the served version (§3.7); one of
    /// CDS or CDNSKEY has no records (RFC 9859 §4.2).
    /// </summary>
    /// <param name="room">Receives it; <see cref="MostOctets"/> long.</param>
    /// <param name="key">The TSIG key; null = unsigned.</param>
    /// <param name="now">Seconds since 1970.</param>
    /// <param name="chain">Verifies the answer; null = unsigned.</param>
    public static int Write(Span<byte> room, ushort id, ZoneSlot slot, RRType type, TsigKey? key, long now,
        out TsigChain? chain)
    {
        MessageWriter writer = new(room, null);
        writer.WriteHeader(id, (ushort)((int)Opcode.Notify << 11 | MessageHeader.AuthoritativeAnswer));
        writer.TryWriteQuestion(slot.Name.Octets, type, RRClass.IN);
        writer.Limit = MostWithSoaOctets - (key?.MaxRecordOctets ?? 0);
        if (type == RRType.SOA && slot.Zone is { } zone) TransferQuery.TryWriteSoa(ref writer, zone);
        int octets = writer.Finish();
        chain = key is null ? null : TsigChain.Request(key, room, ref octets, now);
        return octets;
    }

    public static bool TryReadAnswer(ReadOnlySpan<byte> message, DomainName zone, RRType type, out Rcode rcode)
    {
        rcode = default;
        if (!MessageReader.TryOpen(message, out MessageReader reader) || !reader.IsResponse ||
            reader.Opcode != Opcode.Notify) return false;
        rcode = reader.HeaderRcode;
        // A server that does not support the opcode may omit the question.
        return MessageHeader.IsBareError(message)
            || reader.TryReadQuestion(out QuestionReader question) && question.Type == type
            && question.Class == RRClass.IN
            && question.TryGetName(out ReadOnlySpan<byte> name) && WireName.EqualsIgnoreCase(name, zone.Octets);
    }
}

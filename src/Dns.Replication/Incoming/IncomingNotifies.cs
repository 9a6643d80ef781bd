namespace Dns.Replication.Incoming;

/// <summary>Answers NOTIFY messages (RFC 1996). Thread-safe; does not wait and never throws.</summary>
public sealed class IncomingNotifies(TimeProvider time)
{
    private const ushort Payload = 1232;
    private const int SerialFromEnd = 20;

    private volatile TsigKeyRing _keys = TsigKeyRing.Empty;

    /// <summary>The known keys; may be replaced at any time.</summary>
    public TsigKeyRing Keys
    {
        get => _keys;
        set => _keys = value;
    }

    /// <summary>
    /// Whether zones may be served soon that are unknown now: a notification of an unknown zone then gets no reply, and
    /// its server repeats it (RFC 1996 §3.6). Null = never.
    /// </summary>
    public Func<DomainName, bool>? MayLackZones { get; set; }

    /// <summary>Answers one message; returns the length of the reply, 0 = none.</summary>
    /// <param name="room">Starts with the message; all of it may be written by the reply, at least 512 octets.</param>
    /// <param name="octets">Length of the message, a header at least.</param>
    /// <param name="zones">The zones published at the time of receipt.</param>
    public int Answer(Span<byte> room, int octets, ref QueryOrigin origin, ZoneSet zones)
    {
        ReadOnlySpan<byte> message = room[..octets];
        if (!TryRead(message, out DomainName? name, out RRClass rrClass, out uint? serial))
            return WriteHeader(room, Rcode.FormErr);
        using TsigRequest signature = TsigRequest.Accept(message, _keys, Now);
        if (signature.Rcode == Rcode.FormErr) return WriteHeader(room, Rcode.FormErr);
        Rcode rcode = signature.Rcode;
        if (rcode != Rcode.NoError)
        {
            if (rrClass == RRClass.IN && zones.FindExact(name) is SecondaryZone zone)
                zone.Owner.RefuseSignature(zone, origin.Client);
        }
        else if (rrClass != RRClass.IN || zones.FindExact(name) is not { } slot)
        {
            if (rrClass == RRClass.IN && MayLackZones?.Invoke(name) == true) return 0;
            rcode = Rcode.NotAuth;
        }
        else rcode = Take(slot, serial, ref origin.Client, signature.Key);
        return Write(room, octets, rcode, signature);
    }

    private long Now => time.GetUtcNow().ToUnixTimeSeconds();

    private static Rcode Take(ZoneSlot slot, uint? serial, ref ClientAddress client, TsigKey? key)
    {
        // Only a secondary zone has primaries that may notify.
        if (slot is not SecondaryZone zone) return Rcode.Refused;
        return zone.Owner.TryNotify(zone, ref client, key, serial) ? Rcode.NoError : Rcode.Refused;
    }

    /// <summary>Parses the question, which must be for SOA, and the serial in the answer section.</summary>
    private static bool TryRead(
        ReadOnlySpan<byte> octets, [NotNullWhen(true)] out DomainName? name, out RRClass rrClass, out uint? serial)
    {
        (name, rrClass, serial) = (null, default, null);
        if (!MessageReader.TryOpen(octets, out MessageReader message)) return false;
        if (message.Count(MessageSection.Question) != 1 || !message.TryReadQuestion(out QuestionReader question))
            return false;
        if (question.Type != RRType.SOA || !question.TryGetName(out ReadOnlySpan<byte> wire)) return false;
        rrClass = question.Class;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
        {
            if (records.Section != MessageSection.Answer || records.Type != RRType.SOA ||
                records.RdataOctets < SerialFromEnd + 2) continue;
            serial ??= BinaryPrimitives.ReadUInt32BigEndian(records.Rdata[^SerialFromEnd..]);
        }
        if (records.IsMalformed) return false;
        name = DomainName.FromOctets(wire);
        return true;
    }

    private int Write(Span<byte> room, int octets, Rcode rcode, in TsigRequest signature)
    {
        Span<byte> unsigned = stackalloc byte[TsigRecord.MaxUnsignedOctets];
        unsigned = WriteUnsigned(room[..octets], signature, unsigned);
        MessageReader.TryOpen(room[..octets], out MessageReader message);
        message.TryReadQuestion(out QuestionReader question);
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        question.TryExpandName(name, out int nameOctets);
        (RRType type, RRClass rrClass, ushort id, ushort flags) =
            (question.Type, question.Class, message.Id, message.Flags);
        bool hasOpt = message.TryFindOpt(out _);
        MessageWriter writer = new(room, names: null);
        writer.Limit -= signature.Chain?.Key.MaxRecordOctets ?? unsigned.Length;
        int isGood = rcode == Rcode.NoError ? MessageHeader.AuthoritativeAnswer : 0;
        writer.WriteHeader(id,
            (ushort)(MessageHeader.QueryResponse | flags & MessageHeader.OpcodeMask | isGood | (int)rcode));
        // A name that leaves no room for the TSIG record is omitted: the ID identifies the message.
        writer.TryWriteQuestion(name[..nameOctets], type, rrClass);
        if (hasOpt)
        {
            writer.BeginOpt(Payload);
            writer.TryEnd();
        }
        int length = writer.Finish();
        if (signature.Chain is { } chain) return chain.Sign(room, length, Now, signature.Error);
        if (unsigned.IsEmpty) return length;
        unsigned.CopyTo(room[length..]);
        MessageHeader.SetCount(room, 3, (ushort)(MessageHeader.Count(room, 3) + 1));
        return length + unsigned.Length;
    }

    /// <summary>The TSIG record of an unsignable answer (RFC 8945 §5.2.1, §5.2.2); empty if none is needed.</summary>
    private static Span<byte> WriteUnsigned(ReadOnlySpan<byte> message, in TsigRequest signature,
        Span<byte> destination)
    {
        if (signature.Chain is not null || signature.Rcode == Rcode.NoError) return default;
        if (TsigRecord.Find(message, out TsigRecord record) != TsigPresence.Present) return default;
        return destination[..record.WriteUnsigned(destination, signature.Error)];
    }

    private static int WriteHeader(Span<byte> room, Rcode rcode)
    {
        int opcode = MessageHeader.Flags(room) & MessageHeader.OpcodeMask;
        MessageHeader.SetFlags(room, (ushort)(MessageHeader.QueryResponse | opcode | (int)rcode));
        room[4..MessageHeader.LengthOctets].Clear();
        return MessageHeader.LengthOctets;
    }
}

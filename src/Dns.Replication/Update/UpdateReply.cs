namespace Dns.Replication.Update;

/// <summary>The parts of an UPDATE message that its reply needs (RFC 2136 §3.8, RFC 8945 §5.3).</summary>
internal sealed class UpdateReply : IDisposable
{
    private const ushort Payload = 1232;
    private const ushort MinPayload = 512;
    private const int OptOctets = 11;

    private readonly ushort _id;
    private readonly byte[] _question;
    private readonly int _limit;
    private readonly bool _hasOpt;
    private readonly TimeProvider _time;
    private readonly TsigChain? _chain;
    private readonly Rcode _error;
    private readonly byte[]? _unsigned;

    /// <param name="octets">The message, whose zone section was parsed.</param>
    /// <param name="signature">Its signature; the chain is disposed with this.</param>
    /// <param name="isReliable">Whether the transport is reliable, so that the reply has no length limit.</param>
    internal UpdateReply(ReadOnlySpan<byte> octets, in TsigRequest signature, bool isReliable, TimeProvider time)
    {
        MessageReader.TryOpen(octets, out MessageReader message);
        message.TryReadQuestion(out _);
        _id = message.Id;
        _question = octets[MessageHeader.LengthOctets..message.Position].ToArray();
        _hasOpt = message.TryFindOpt(out OptReader opt);
        EdnsVersion = _hasOpt ? opt.Version : 0;
        _limit =
            isReliable ? ushort.MaxValue : Math.Clamp(_hasOpt ? opt.PayloadOctets : MinPayload, MinPayload, Payload);
        (_time, _chain, _error) = (time, signature.Chain, signature.Error);
        if (signature.Chain is null && signature.Offset > 0 && signature.Rcode == Rcode.NotAuth)
            _unsigned = UnsignedOf(octets, signature.Offset, signature.Error);
    }

    /// <summary>The EDNS version; 0 without OPT.</summary>
    internal int EdnsVersion { get; }

    /// <summary>Writes the reply; returns its length.</summary>
    /// <param name="room">At least 512 octets.</param>
    internal int Write(Span<byte> room, Rcode rcode)
    {
        room = room[..Math.Min(room.Length, _limit)];
        MessageWriter writer = new(room, names: null);
        int signature = _chain?.Key.MaxRecordOctets ?? _unsigned?.Length ?? 0;
        int kept = signature + (_hasOpt ? OptOctets : 0);
        int flags = MessageHeader.QueryResponse | (int)Opcode.Update << 11 | (int)rcode & MessageHeader.RcodeMask;
        bool fits = MessageHeader.LengthOctets + kept <= room.Length;
        // If not even the signature fits, TC sends the client to a reliable transport.
        writer.WriteHeader(_id, (ushort)(flags | (fits ? 0 : MessageHeader.Truncated)));
        if (!fits) return writer.Finish();
        writer.Limit -= kept;
        writer.TryCopyQuestion(_question);
        writer.Limit += OptOctets * (_hasOpt ? 1 : 0);
        if (_hasOpt)
        {
            writer.BeginOpt(Payload, rcode);
            writer.TryEnd();
        }
        int octets = writer.Finish();
        if (_chain is not null) return _chain.Sign(room, octets, _time.GetUtcNow().ToUnixTimeSeconds(), _error);
        if (_unsigned is null) return octets;
        _unsigned.CopyTo(room[octets..]);
        MessageHeader.SetCount(room, 3, (ushort)(MessageHeader.Count(room, 3) + 1));
        return octets + _unsigned.Length;
    }

    public void Dispose() => _chain?.Dispose();

    private static byte[] UnsignedOf(ReadOnlySpan<byte> octets, int offset, Rcode error)
    {
        Span<byte> record = stackalloc byte[TsigRecord.MaxUnsignedOctets];
        RecordReader reader = new(octets, offset, count: 1, MessageSection.Additional);
        if (!reader.TryRead() || !TsigRecord.TryRead(in reader, out TsigRecord tsig)) return [];
        return record[..tsig.WriteUnsigned(record, error)].ToArray();
    }
}

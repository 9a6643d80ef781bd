namespace Dns.Forwarding.Acceptance;

/// <summary>
/// Writes the accepted records of a reply behind a question at offset 12: names are compressed again, other RDATA is
/// copied. Owns buffers that grow to 64 KB at most; not thread-safe.
/// </summary>
internal sealed class RelayedRecords
{
    // Owner, fixed part, and growth of names in RDATA: no type has more than eight.
    private const int MaxGrowthOctets = WireName.MaxOctets + RecordReader.FixedOctets + 8 * WireName.MaxOctets;

    private readonly MessageNames _names = new();
    private byte[] _message = new byte[1024];
    private byte[] _rdata = new byte[1024];
    private ushort[] _ttlOffsets = new ushort[16];
    private MessageMark _mark;
    private int _start, _count;

    /// <summary>The records.</summary>
    public ReadOnlySpan<byte> Octets => _message.AsSpan(_start, _mark.Position - _start);

    /// <summary>The offsets of their TTLs in <see cref="Octets"/>.</summary>
    public ReadOnlySpan<ushort> TtlOffsets => _ttlOffsets.AsSpan(0, _count);

    /// <summary>Starts again behind a question.</summary>
    public void Begin(scoped in Question question)
    {
        MessageWriter writer = new(_message, _names);
        writer.TryWriteQuestion(in question);
        _mark = writer.Mark;
        _start = _mark.Position;
        _count = 0;
    }

    /// <summary>Writes a record of a reply; false if the RDATA is invalid or the answer exceeds a message.</summary>
    public bool TryWrite(in LookupName owner, in ReplyRecord record, RRClass rrClass, uint ttl,
        ReadOnlySpan<byte> reply)
    {
        Grow(ref _message, _mark.Position + record.RdataOctets + MaxGrowthOctets);
        MessageWriter writer = new(_message, _names, _mark);
        if (IsQuestionName(in owner))
            writer.Begin(MessageSection.Answer, MessageHeader.LengthOctets, record.Type, rrClass, ttl);
        else writer.Begin(MessageSection.Answer, in owner, owner.Octets, record.Type, rrClass, ttl);
        WriteRdata(ref writer, in record, reply);
        return TryEnd(ref writer);
    }

    /// <summary>Writes a CNAME record that the reply does not have.</summary>
    public bool TryWriteAlias(in LookupName owner, RRClass rrClass, uint ttl, in LookupName target)
    {
        Grow(ref _message, _mark.Position + MaxGrowthOctets);
        MessageWriter writer = new(_message, _names, _mark);
        writer.Begin(MessageSection.Answer, in owner, owner.Octets, RRType.CNAME, rrClass, ttl);
        writer.WriteName(in target, target.Octets);
        return TryEnd(ref writer);
    }

    /// <summary>The RDATA of a record with expanded names, until the next call; empty if it is malformed.</summary>
    public ReadOnlySpan<byte> Expand(in ReplyRecord record, ReadOnlySpan<byte> reply)
    {
        Grow(ref _rdata, record.RdataOctets + MaxGrowthOctets);
        Rdata.TryRead(record.Type, reply, record.RdataOffset, record.RdataOctets, _rdata, out int octets);
        return _rdata.AsSpan(0, octets);
    }

    private void WriteRdata(ref MessageWriter writer, in ReplyRecord record, ReadOnlySpan<byte> reply)
    {
        // RDATA without names is copied directly into the message, unless its end is near.
        bool isDirect = writer.Room.Length >= record.RdataOctets + MaxGrowthOctets
            && !Rdata.TryGetCompressibleNames(record.Type, out _, out _);
        if (!isDirect) Grow(ref _rdata, record.RdataOctets + MaxGrowthOctets);
        Span<byte> room = isDirect ? writer.Room : _rdata;
        if (!Rdata.TryRead(record.Type, reply, record.RdataOffset, record.RdataOctets, room, out int octets))
            writer.Fail();
        else if (isDirect) writer.Advance(octets);
        else writer.WriteRdata(record.Type, room[..octets]);
    }

    private bool TryEnd(ref MessageWriter writer)
    {
        if (!writer.TryEnd()) return false;
        _mark = writer.Mark;
        if (_count == _ttlOffsets.Length) Array.Resize(ref _ttlOffsets, _count * 2);
        _ttlOffsets[_count++] = (ushort)(writer.TtlOffset - _start);
        return true;
    }

    // The common case: cheaper than a lookup in the name table.
    private bool IsQuestionName(in LookupName owner) =>
        owner.LabelCount > 0 && _message.AsSpan(MessageHeader.LengthOctets).StartsWith(owner.Octets);

    private static void Grow(ref byte[] buffer, int octets)
    {
        if (buffer.Length < octets)
            Array.Resize(ref buffer, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)octets));
    }
}

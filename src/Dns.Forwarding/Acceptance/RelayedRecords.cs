using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// Writes the records that are taken over from a reply, as they stand behind a question at offset 12: names compressed anew,
/// RDATA as it came. Owns its buffers, which grow to 64 KB at most; not safe to share between threads.
/// </summary>
internal sealed class RelayedRecords
{
    // Type, class, TTL and RDLENGTH.
    private const int FixedOctets = 10;

    // Names in RDATA may come out longer than they came; no type has as many as this.
    private const int MaxGrowthOctets = 8 * WireName.MaxOctets;

    private readonly RelayedNames _names = new();
    private LookupName _name;
    private byte[] _message = new byte[1024];
    private byte[] _rdata = new byte[1024];
    private ushort[] _ttlOffsets = new ushort[16];
    private int _start, _end, _count;

    /// <summary>The records.</summary>
    public ReadOnlySpan<byte> Octets => _message.AsSpan(_start, _end - _start);

    /// <summary>Where their TTLs are, from the start of <see cref="Octets"/>.</summary>
    public ReadOnlySpan<ushort> TtlOffsets => _ttlOffsets.AsSpan(0, _count);

    /// <summary>Starts anew behind a question.</summary>
    public void Begin(scoped in Question question)
    {
        _count = 0;
        _start = _end = question.EndOffset;
        question.Name.Octets.CopyTo(_message.AsSpan(MessageHeader.LengthOctets));
        _names.Begin(in question.Name);
    }

    /// <summary>Writes a record of a reply.</summary>
    /// <returns>False if its RDATA is wrong for its type, or the answer would be longer than a message can be.</returns>
    public bool TryWrite(in LookupName owner, in ReplyRecord record, RRClass rrClass, uint ttl, ReadOnlySpan<byte> reply)
    {
        Reserve(ref _message, _end + 2 * WireName.MaxOctets + record.RdataOctets + MaxGrowthOctets);
        WriteHead(in owner, record.Type, rrClass, ttl);
        int length = _end - sizeof(ushort);
        if (!TryWriteRdata(in record, reply)) return false;
        BinaryPrimitives.WriteUInt16BigEndian(_message.AsSpan(length), (ushort)(_end - length - sizeof(ushort)));
        return _end <= ushort.MaxValue;
    }

    /// <summary>Writes a CNAME record that the reply does not have.</summary>
    public bool TryWriteAlias(in LookupName owner, RRClass rrClass, uint ttl, in LookupName target)
    {
        Reserve(ref _message, _end + 4 * WireName.MaxOctets);
        WriteHead(in owner, RRType.CNAME, rrClass, ttl);
        int length = _end - sizeof(ushort);
        _names.Write(in target, target.Octets, _message, ref _end);
        BinaryPrimitives.WriteUInt16BigEndian(_message.AsSpan(length), (ushort)(_end - length - sizeof(ushort)));
        return _end <= ushort.MaxValue;
    }

    private void WriteHead(in LookupName owner, RRType type, RRClass rrClass, uint ttl)
    {
        _names.Write(in owner, owner.Octets, _message, ref _end);
        Span<byte> head = _message.AsSpan(_end, FixedOctets);
        BinaryPrimitives.WriteUInt16BigEndian(head, (ushort)type);
        BinaryPrimitives.WriteUInt16BigEndian(head[2..], (ushort)rrClass);
        BinaryPrimitives.WriteUInt32BigEndian(head[4..], ttl);
        if (_count == _ttlOffsets.Length) Array.Resize(ref _ttlOffsets, _count * 2);
        // An answer that grows beyond what the offset can say is refused by who called.
        _ttlOffsets[_count++] = (ushort)(_end + 4 - _start);
        _end += FixedOctets;
    }

    private bool TryWriteRdata(in ReplyRecord record, ReadOnlySpan<byte> reply)
    {
        if (!Rdata.TryGetCompressibleNames(record.Type, out int prefix, out int nameCount))
        {
            if (!Rdata.TryRead(record.Type, reply, record.RdataOffset, record.RdataOctets, _message.AsSpan(_end), out int written))
                return false;
            _end += written;
            return true;
        }
        Reserve(ref _rdata, record.RdataOctets + MaxGrowthOctets);
        if (!Rdata.TryRead(record.Type, reply, record.RdataOffset, record.RdataOctets, _rdata, out int octets)) return false;
        ReadOnlySpan<byte> rest = _rdata.AsSpan(0, octets);
        Append(rest[..prefix]);
        rest = rest[prefix..];
        for (int i = 0; i < nameCount; i++)
        {
            int position = 0;
            if (!_name.TryExpand(rest, ref position)) return false;
            _names.Write(in _name, rest[..position], _message, ref _end);
            rest = rest[position..];
        }
        Append(rest);
        return true;
    }

    private void Append(ReadOnlySpan<byte> octets)
    {
        octets.CopyTo(_message.AsSpan(_end));
        _end += octets.Length;
    }

    private static void Reserve(ref byte[] buffer, int octets)
    {
        if (buffer.Length < octets) Array.Resize(ref buffer, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)octets));
    }
}

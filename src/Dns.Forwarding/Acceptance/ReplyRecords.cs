using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// The records of a reply's answer and authority sections, found in one pass. Grows with the records that are there, never
/// with a count in the header. Not safe to share between threads.
/// </summary>
internal sealed class ReplyRecords
{
    private const int FixedOctets = 10;
    private const int SignatureFixedOctets = 18;

    private ReplyRecord[] _records = new ReplyRecord[32];
    private LookupName _owner;
    private int _count;

    /// <summary>The records of the question's class, in their order.</summary>
    public Span<ReplyRecord> All => _records.AsSpan(0, _count);

    /// <summary>The response code with the upper bits of OPT.</summary>
    public Rcode Rcode { get; private set; }

    /// <summary>Reads the sections behind the question.</summary>
    /// <param name="message">The whole message.</param>
    /// <param name="position">Where its first record starts.</param>
    /// <param name="question">What was asked.</param>
    /// <returns>False if it is malformed: a record cut short, a bad name, two OPT, octets behind the end.</returns>
    public bool TryRead(ReadOnlySpan<byte> message, int position, scoped in Question question)
    {
        _count = 0;
        int code = MessageHeader.Flags(message) & MessageHeader.RcodeMask;
        bool hasOpt = false;
        for (int section = 1; section <= 3; section++)
        {
            for (int left = MessageHeader.Count(message, section); left > 0; left--)
            {
                ReplyRecord record = new() { OwnerOffset = (ushort)position, IsAuthority = section == 2 };
                if (!TryReadOwner(message, ref position, in question, ref record)) return false;
                if (message.Length - position < FixedOctets) return false;
                ReadOnlySpan<byte> head = message.Slice(position, FixedOctets);
                record.Type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(head);
                RRClass rrClass = (RRClass)BinaryPrimitives.ReadUInt16BigEndian(head[2..]);
                record.Ttl = BinaryPrimitives.ReadUInt32BigEndian(head[4..]);
                record.RdataOctets = BinaryPrimitives.ReadUInt16BigEndian(head[8..]);
                position += FixedOctets;
                if (message.Length - position < record.RdataOctets) return false;
                record.RdataOffset = (ushort)position;
                position += record.RdataOctets;
                if (record.Type == RRType.OPT)
                {
                    if (hasOpt || section != 3 || record.OwnerLabels != 0) return false;
                    hasOpt = true;
                    code |= (int)(record.Ttl >> 24) << 4;
                }
                else if (section < 3 && rrClass == question.Class) Add(ref record, message);
            }
        }
        Rcode = (Rcode)code;
        return position == message.Length;
    }

    /// <summary>A record's owner; nearly always the question's name by a pointer, which needs no reading.</summary>
    private bool TryReadOwner(ReadOnlySpan<byte> message, ref int position, scoped in Question question, ref ReplyRecord record)
    {
        const ushort toQuestion = 0xC000 | MessageHeader.LengthOctets;
        if (message.Length - position >= sizeof(ushort) && BinaryPrimitives.ReadUInt16BigEndian(message[position..]) == toQuestion)
        {
            position += sizeof(ushort);
            record.OwnerHash = question.Name.Hash;
            record.OwnerLabels = (byte)question.Name.LabelCount;
            return true;
        }
        if (!_owner.TryExpand(message, ref position)) return false;
        record.OwnerHash = _owner.Hash;
        record.OwnerLabels = (byte)_owner.LabelCount;
        return true;
    }

    private void Add(ref ReplyRecord record, ReadOnlySpan<byte> message)
    {
        if (record.Type == RRType.RRSIG && record.RdataOctets > SignatureFixedOctets)
            record.Covered = (RRType)BinaryPrimitives.ReadUInt16BigEndian(message[record.RdataOffset..]);
        if (_count == _records.Length) Array.Resize(ref _records, _count * 2);
        _records[_count++] = record;
    }
}

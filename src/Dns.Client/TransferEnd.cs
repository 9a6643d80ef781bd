namespace Dns.Client;

/// <summary>
/// Finds the end of a transfer (RFC 5936 §2.2, RFC 1995 §4): a whole zone ends with the SOA that it began with,
/// differences with the SOA that follows the records added last.
/// </summary>
public sealed class TransferEnd(bool isIncremental, uint fromSerial)
{
    /// <summary>The end of an SOA's RDATA (RFC 1035 §3.3.13): serial, refresh, retry, expire and minimum.</summary>
    private const int TimersOctets = 5 * sizeof(uint);

    private uint _serial;
    private long _soas;
    private bool _isIncremental;

    /// <summary>Records of the answers so far.</summary>
    public long Records { get; private set; }

    /// <summary>Whether the last record has come, or a message that no other follows.</summary>
    public bool IsReached { get; private set; }

    /// <summary>Takes the next message; false if it is malformed, or cannot stand there.</summary>
    public bool Take(ReadOnlySpan<byte> message)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader)) return false;
        if ((MessageHeader.Flags(message) & MessageHeader.RcodeMask) != 0) return IsReached = true;
        RecordReader record = reader.ReadRecords();
        while (record.TryRead())
        {
            if (record.Section != MessageSection.Answer) continue;
            if (IsReached || !TakeRecord(in record)) return false;
        }
        // A single SOA that is not newer: there are no differences (RFC 1995 §4).
        IsReached |= Records == 0 || Records == 1 && isIncremental && !SerialNumber.IsGreater(_serial, fromSerial);
        return !record.IsMalformed;
    }

    private bool TakeRecord(scoped in RecordReader record)
    {
        Records++;
        if (record.Type != RRType.SOA) return Records > 1;
        if (record.Rdata.Length < TimersOctets) return false;
        uint serial = BinaryPrimitives.ReadUInt32BigEndian(record.Rdata[^TimersOctets..]);
        _soas++;
        if (Records == 1) _serial = serial;
        else if (Records == 2) _isIncremental = serial != _serial;
        // The first, then an old and a new one for each difference: the last is even again.
        IsReached = Records > 1 && serial == _serial && (!_isIncremental || _soas % 2 == 0 && _soas > 2);
        return true;
    }
}

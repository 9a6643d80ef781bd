namespace Dns.Replication.Incoming;

/// <summary>Writes a zone into a file, block by block, in <see cref="ZoneCopyFormat"/>.</summary>
internal sealed class ZoneCopyWriter
{
    private readonly byte[] _block =
        new byte[ZoneCopyFormat.BlockFixedOctets + ZoneCopyFormat.BlockOctets + ZoneCopyFormat.MaxRecordOctets];
    private readonly IJournalFile _file;
    private long _position;
    private int _used = ZoneCopyFormat.BlockFixedOctets;
    private uint _crc;

    private ZoneCopyWriter(IJournalFile file) => _file = file;

    /// <summary>Writes a copy and flushes it to disk; returns the length of the file.</summary>
    /// <param name="file">An empty file.</param>
    /// <param name="at">The base of the journal behind it.</param>
    /// <exception cref="IOException">The write failed.</exception>
    public static long Write(IJournalFile file, DomainName name, ZoneCopy copy, JournalBase at)
    {
        ZoneCopyWriter writer = new(file);
        byte[] header = ZoneCopyFormat.WriteHeader(name, at);
        writer.Put(header);
        writer._crc = BinaryPrimitives.ReadUInt32BigEndian(header.AsSpan(^4..));
        writer.Put(ZoneCopyFormat.WriteTimes(copy.Times));
        writer.WriteRecords(copy.Zone);
        // The empty block marks the end.
        writer.EndBlock();
        file.Flush();
        return writer._position;
    }

    private void WriteRecords(Zone zone)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        foreach (ZoneNode node in zone)
        {
            bool isFirst = true;
            ReadOnlySpan<byte> name = owner[..node.CopyOwner(owner)];
            foreach (RRset rrset in node)
            {
                foreach (ReadOnlySpan<byte> rdata in rrset)
                {
                    // The first record of a block has its owner: each block is readable on its own.
                    isFirst |= _used == ZoneCopyFormat.BlockFixedOctets;
                    WriteRecord(isFirst ? name : default, rrset.Type, rrset.Ttl, rdata);
                    isFirst = false;
                    if (_used >= ZoneCopyFormat.BlockOctets) EndBlock();
                }
            }
        }
        if (_used > ZoneCopyFormat.BlockFixedOctets) EndBlock();
    }

    private void WriteRecord(scoped ReadOnlySpan<byte> owner, RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        Span<byte> room = _block.AsSpan(_used);
        room[0] = (byte)owner.Length;
        owner.CopyTo(room[1..]);
        Span<byte> rest = room[(1 + owner.Length)..];
        BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)type);
        BinaryPrimitives.WriteUInt32BigEndian(rest[2..], ttl);
        BinaryPrimitives.WriteUInt16BigEndian(rest[6..], (ushort)rdata.Length);
        rdata.CopyTo(rest[8..]);
        _used += 1 + owner.Length + 8 + rdata.Length;
    }

    private void EndBlock()
    {
        ReadOnlySpan<byte> body = _block.AsSpan(ZoneCopyFormat.BlockFixedOctets.._used);
        _crc = JournalFormat.CrcOf(_crc, body);
        BinaryPrimitives.WriteInt32BigEndian(_block, body.Length);
        BinaryPrimitives.WriteUInt32BigEndian(_block.AsSpan(4), _crc);
        Put(_block.AsSpan(.._used));
        _used = ZoneCopyFormat.BlockFixedOctets;
    }

    private void Put(ReadOnlySpan<byte> octets)
    {
        _file.Write(_position, octets);
        _position += octets.Length;
    }
}

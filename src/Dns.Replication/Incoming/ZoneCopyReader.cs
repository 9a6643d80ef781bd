namespace Dns.Replication.Incoming;

/// <summary>Reads the copy of a zone from a file. Damage is a result, never an exception.</summary>
internal sealed class ZoneCopyReader
{
    private readonly IJournalFile _file;
    private readonly ZoneBuilder _builder;
    private readonly DomainName _zone;
    private readonly byte[] _block = new byte[ZoneCopyFormat.BlockOctets + ZoneCopyFormat.MaxRecordOctets];
    private readonly byte[] _owner = new byte[WireName.MaxOctets];
    private int _ownerOctets;
    private long _position;
    private uint _crc;

    private ZoneCopyReader(IJournalFile file, DomainName zone, ZoneLimits limits)
    {
        (_file, _zone) = (file, zone);
        long octets = file.Length;
        _builder = new ZoneBuilder(zone.Octets, () => octets == 0 ? 0 : (double)_position / octets, limits);
    }

    /// <summary>Reads a copy.</summary>
    /// <param name="copy">The zone and its times, which are the default value if damaged.</param>
    /// <param name="at">The base of the journal behind it.</param>
    /// <param name="cancellation">Checked with each block.</param>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="OperationCanceledException">Reading was cancelled.</exception>
    public static bool TryRead(
        IJournalFile file, DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy,
        out JournalBase at, [NotNullWhen(false)] out CopyDamage? damage, CancellationToken cancellation)
    {
        copy = null;
        byte[] start = new byte[ZoneCopyFormat.HeaderOctets(zone) + ZoneCopyFormat.TimesOctets];
        int read = file.Read(0, start);
        if (!ZoneCopyFormat.TryReadHeader(zone, start.AsSpan(0, read), out at, out damage)) return false;
        int header = ZoneCopyFormat.HeaderOctets(zone);
        ZoneCopyFormat.TryReadTimes(start.AsSpan(header..read), out ZoneCopyTimes times);
        ZoneCopyReader reader = new(file, zone, limits)
        {
            _position = start.Length, _crc = BinaryPrimitives.ReadUInt32BigEndian(start.AsSpan(header - 4)),
        };
        if (!reader.TryReadBlocks(cancellation))
        {
            damage = new(CopyFault.Content, reader._position);
            return false;
        }
        Zone built = reader._builder.Build();
        bool isIntact = built.Serial == at.Serial && built.ApexNode.TryFind(RRType.SOA, out _);
        copy = isIntact ? new ZoneCopy(built, times) : null;
        damage = isIntact ? null : new(CopyFault.Soa);
        return isIntact;
    }

    private bool TryReadBlocks(CancellationToken cancellation)
    {
        Span<byte> start = stackalloc byte[ZoneCopyFormat.BlockFixedOctets];
        while (true)
        {
            cancellation.ThrowIfCancellationRequested();
            if (_file.Read(_position, start) != start.Length) return false;
            int octets = BinaryPrimitives.ReadInt32BigEndian(start);
            if ((uint)octets > (uint)_block.Length) return false;
            Span<byte> body = _block.AsSpan(0, octets);
            if (_file.Read(_position + start.Length, body) != octets) return false;
            _crc = JournalFormat.CrcOf(_crc, body);
            if (_crc != BinaryPrimitives.ReadUInt32BigEndian(start[4..]) || !TryTakeRecords(body)) return false;
            _position += start.Length + octets;
            if (octets == 0) return true;
        }
    }

    /// <summary>Adds the records of a block after checks, since the file is not trusted.</summary>
    private bool TryTakeRecords(ReadOnlySpan<byte> left)
    {
        _ownerOctets = 0;
        while (left.Length > 0)
        {
            int owner = left[0];
            if (left.Length < 1 + owner + 8) return false;
            if (owner > 0)
            {
                ReadOnlySpan<byte> name = left.Slice(1, owner);
                if (!WireName.IsValid(name) || !WireName.IsAtOrBelow(name, _zone.Octets)) return false;
                name.CopyTo(_owner);
                _ownerOctets = owner;
            }
            if (_ownerOctets == 0) return false;
            left = left[(1 + owner)..];
            RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(left);
            uint ttl = BinaryPrimitives.ReadUInt32BigEndian(left[2..]);
            int octets = BinaryPrimitives.ReadUInt16BigEndian(left[6..]);
            left = left[8..];
            if (left.Length < octets || ttl > int.MaxValue || Rdata.IsMeta(type) ||
                !Rdata.IsValid(type, left[..octets])) return false;
            _builder.Add(_owner.AsSpan(0, _ownerOctets), sameOwner: owner == 0, type, ttl, left[..octets]);
            left = left[octets..];
        }
        return true;
    }
}

namespace Dns.Answering.Encoding;

/// <content>Relayed records.</content>
internal ref partial struct ResponseWriter
{
    /// <summary>Removes the records of all sections from a position on.</summary>
    internal void Rewind(int position, RecordCounts counts)
    {
        Undo(position);
        _counts = counts;
    }

    /// <summary>Whether a section has, since then, a record that no forwarded alias may lead to.</summary>
    internal readonly bool HasBlocked(int position, RecordCounts counts, IForwardedZones forwarded)
    {
        int added = _counts.Answer + _counts.Authority + _counts.Additional
            - (counts.Answer + counts.Authority + counts.Additional);
        RecordReader records = new(_message[..Position], position, added);
        while (records.TryRead())
            if (forwarded.Blocks(records.Type, records.Rdata)) return true;
        return false;
    }

    /// <summary>
    /// Writes a record under any name, compressed as RFC 3597 §4 allows. <see cref="HostOffset"/> 0 is its first name.
    /// </summary>
    /// <param name="section">The section; never one before that of the last call.</param>
    /// <param name="name">The owner in its letter case, uncompressed.</param>
    /// <param name="rdata">Valid RDATA, uncompressed.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal bool TryWriteRelayed(
        Section section, scoped ReadOnlySpan<byte> name, RRType type, uint ttl, scoped ReadOnlySpan<byte> rdata)
    {
        int before = Position;
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        if (WriteName(name, in lookup) < 0 || Position + FixedOctets > _limit) return Undo(before);
        WriteAfterOwner(type, RRClass.IN, ttl, rdata.Length);
        if (Rdata.TryGetCompressibleNames(type, out int prefix, out int names))
        {
            if (!TryWriteNamedRdata(rdata, prefix, names, index: 0)) return Undo(before);
        }
        else
        {
            if (Position + rdata.Length > _limit) return Undo(before);
            rdata.CopyTo(_message[Position..]);
            Position += rdata.Length;
        }
        AddCount(section, 1);
        return true;
    }
}

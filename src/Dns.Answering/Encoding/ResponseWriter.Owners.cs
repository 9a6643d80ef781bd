namespace Dns.Answering.Encoding;

/// <content>RRsets of the additional section, and RRsets whose owner may not be in the message yet.</content>
internal ref partial struct ResponseWriter
{
    /// <summary>Writes an additional RRset, with signatures if requested and if they fit (RFC 4035 §3.1.1).</summary>
    internal bool TryWriteAdditional(int owner, scoped ZoneNode node, scoped RRset rrset)
    {
        int before = Position;
        if (owner > NameCompressor.MaxOffset || !TryWriteRRset(owner, rrset, rrset.Ttl)) return Undo(before);
        AddCount(Section.Additional, rrset.Count);
        if (WithSignatures) AddSignatures(owner, node, rrset.Type);
        return true;
    }

    /// <summary>Writes an RRset of the additional section whose owner may not be in the message yet.</summary>
    /// <param name="name">The owner in its letter case.</param>
    internal bool TryWriteAdditional(
        scoped ReadOnlySpan<byte> name, scoped ref readonly LookupName lookup, scoped ZoneNode node, scoped RRset rrset)
    {
        int before = Position, owner = WriteUnder(name, in lookup, rrset);
        if (owner < 0) return Undo(before);
        AddCount(Section.Additional, rrset.Count);
        if (WithSignatures) AddSignatures(owner, node, rrset.Type);
        return true;
    }

    /// <summary>Writes an RRset of the authority section under its own name, with signatures if requested.</summary>
    /// <param name="rrset">The RRset, of a type without compressible names.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    internal bool TryWriteAuthority(scoped ZoneNode node, scoped RRset rrset)
    {
        int before = Position, count = rrset.Count, owner = -1;
        if (!TryWriteUnder(node.Name, ref owner, rrset)) return Undo(before);
        if (WithSignatures && node.TryFindSignatures(rrset.Type, out RRset signatures))
        {
            if (!TryWriteUnder(node.Name, ref owner, signatures)) return Undo(before);
            count += signatures.Count;
        }
        AddCount(Section.Authority, count);
        return true;
    }

    /// <summary>Writes an RRset without compressible names; from the second record on the owner is a pointer.</summary>
    /// <param name="owner">Its offset in the message; -1 if unknown.</param>
    private bool TryWriteUnder(scoped ReadOnlySpan<byte> name, scoped ref int owner, scoped RRset rrset)
    {
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            int start = Position;
            bool canPoint = (uint)owner <= NameCompressor.MaxOffset;
            if (!canPoint) owner = WriteOwner(name);
            if (owner < 0 || Position + PointerOctets + FixedOctets + rdata.Length > _limit) return false;
            if (!canPoint && owner == start) WriteAfterOwner(rrset.Type, RRClass.IN, rrset.Ttl, rdata.Length);
            else WriteFixed(owner, rrset.Type, RRClass.IN, rrset.Ttl, rdata.Length);
            rdata.CopyTo(_message[Position..]);
            Position += rdata.Length;
        }
        return true;
    }

    /// <summary>
    /// Writes a name, or points to it if it is a suffix of the question's name. Compresses it against that name only,
    /// which suffices for the names of most proofs.
    /// </summary>
    /// <returns>The offset of the name; -1 if it does not fit.</returns>
    private int WriteOwner(scoped ReadOnlySpan<byte> name)
    {
        int skip = 0, at = 0;
        for (; at < name.Length - RootOctets; at += name[at] + 1)
        {
            int left = name.Length - at;
            while (_question.Length - _question.Start(skip) > left) skip++;
            if (_question.Length - _question.Start(skip) == left && name[at..].SequenceEqual(_question.Suffix(skip)))
                break;
        }
        bool isShared = at < name.Length - RootOctets;
        if (at == 0 && isShared) return MessageHeader.LengthOctets + _question.Start(skip);
        int start = Position;
        if (start + at + PointerOctets > _limit) return -1;
        name[..at].CopyTo(_message[start..]);
        Position += at;
        if (isShared)
        {
            int shared = MessageHeader.LengthOctets + _question.Start(skip);
            BinaryPrimitives.WriteUInt16BigEndian(_message[Position..], (ushort)(0xC000 | shared));
            Position += PointerOctets;
        }
        else _message[Position++] = 0;
        return start;
    }

    /// <summary>Writes an RRset under any name.</summary>
    /// <returns>The name's offset; -1 if the RRset does not fit: the caller then removes what was written.</returns>
    private int WriteUnder(scoped ReadOnlySpan<byte> name, scoped ref readonly LookupName lookup, scoped RRset rrset)
    {
        int owner = _names.Find(_message, in _question, in lookup, out int skip);
        if (owner >= 0 && skip == 0) return TryWriteRRset(owner, rrset, rrset.Ttl) ? owner : -1;
        owner = -1;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            int offset = WriteName(name, in lookup);
            if (offset < 0 || Position + FixedOctets + rdata.Length > _limit) return -1;
            if (owner < 0) owner = offset;
            WriteAfterOwner(rrset.Type, RRClass.IN, rrset.Ttl, rdata.Length);
            rdata.CopyTo(_message[Position..]);
            Position += rdata.Length;
        }
        return owner;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddSignatures(int owner, scoped ZoneNode node, RRType covered)
    {
        int before = Position;
        if (!node.TryFindSignatures(covered, out RRset signatures)) return;
        if (owner <= NameCompressor.MaxOffset && TryWriteRRset(owner, signatures, signatures.Ttl))
            AddCount(Section.Additional, signatures.Count);
        else Undo(before);
    }
}

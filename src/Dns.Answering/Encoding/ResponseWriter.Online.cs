namespace Dns.Answering.Encoding;

/// <content>Online signatures (RFC 9824).</content>
internal ref partial struct ResponseWriter
{
    /// <summary>Writes the signatures of an RRset that the zone stores without.</summary>
    /// <returns>False if they do not fit, or exceed the rate.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TrySignOnline(int owner, scoped ZoneNode node, scoped RRset rrset, uint ttl, ref int count)
    {
        // NS of a cut is unsigned (RFC 4035 §2.2).
        if (node.IsCut && rrset.Type != RRType.DS) return true;
        Span<byte> name = Online!.Owner;
        int length = CopyLower(owner, name);
        name = name[..length];
        // Wildcard records are signed with the queried name as owner.
        return TryWriteSignatures(owner, name, rrset, ttl, isOfAnyName: !node.Name.SequenceEqual(name), ref count);
    }

    /// <summary>Writes the compact denial record into the answer section, if it or its signature is queried.</summary>
    /// <param name="owner">Offset in the message of its owner.</param>
    /// <param name="onlySignatures">Whether to leave out the record itself.</param>
    /// <returns>False, with nothing written, if it does not fit, or its signatures exceed the rate.</returns>
    internal bool TryWriteCompact(int owner, PendingProofs proofs, bool onlySignatures)
    {
        int before = Position, count = 0;
        RRset rrset = proofs.Compact;
        if (owner > NameCompressor.MaxOffset) return Undo(before);
        if (!onlySignatures)
        {
            if (!TryWritePlain(owner, rrset, rrset.Ttl)) return Undo(before);
            count = rrset.Count;
        }
        if (!TryWriteSignatures(owner, proofs.CompactOwner, rrset, rrset.Ttl, proofs.CompactIsOfAnyName, ref count))
            return Undo(before);
        AddCount(Section.Answer, count);
        return true;
    }

    /// <summary>The same into the authority section.</summary>
    internal bool TryWriteCompact(PendingProofs proofs)
    {
        int before = Position, owner = -1;
        RRset rrset = proofs.Compact;
        int count = rrset.Count;
        if (!TryWriteUnder(proofs.CompactOwner, ref owner, rrset) || owner > NameCompressor.MaxOffset)
            return Undo(before);
        if (!TryWriteSignatures(owner, proofs.CompactOwner, rrset, rrset.Ttl, proofs.CompactIsOfAnyName, ref count))
            return Undo(before);
        AddCount(Section.Authority, count);
        return true;
    }

    private bool TryWriteSignatures(
        int owner, scoped ReadOnlySpan<byte> name, scoped RRset rrset, uint ttl, bool isOfAnyName, ref int count)
    {
        for (int i = 0; i < Online!.Count; i++)
        {
            if (!Online.TrySign(i, name, rrset, isOfAnyName, out ReadOnlySpan<byte> rdata)) return false;
            if (Position + PointerOctets + FixedOctets + rdata.Length > _limit) return false;
            WriteFixed(owner, RRType.RRSIG, RRClass.IN, ttl, rdata.Length);
            rdata.CopyTo(_message[Position..]);
            Position += rdata.Length;
            count++;
        }
        return true;
    }

    /// <summary>Copies the name at an offset, following pointers, in lower case; returns its length.</summary>
    private readonly int CopyLower(int offset, scoped Span<byte> destination)
    {
        int copied = 0;
        while (true)
        {
            offset = Follow(offset);
            int label = _message[offset] + 1;
            WireName.ToLower(_message.Slice(offset, label), destination.Slice(copied, label));
            copied += label;
            if (label == 1) return copied;
            offset += label;
        }
    }
}

using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>RRsets of the additional section, and RRsets under names that the message may or may not have yet.</content>
internal ref partial struct ResponseWriter
{
    /// <summary>
    /// Writes an RRset of the additional section under the name at <paramref name="owner"/>; with its signatures, where the client wants
    /// them and there is room (RFC 4035 §3.1.1).
    /// </summary>
    internal bool TryWriteAdditional(int owner, scoped ZoneNode node, scoped RRset rrset)
    {
        int before = Position;
        if (owner > NameCompressor.MaxOffset || !TryWriteRRset(owner, rrset, rrset.Ttl)) return Undo(before);
        AddCount(Section.Additional, rrset.Count);
        if (WithSignatures) AddSignatures(owner, node, rrset.Type);
        return true;
    }

    /// <summary>Writes an RRset of the additional section under a name that the message may or may not have yet.</summary>
    /// <param name="name">The owner's name as it is to be spelled.</param>
    /// <param name="lookup">The same name, ready for look-up.</param>
    /// <param name="node">The node that has the RRset.</param>
    /// <param name="rrset">The RRset.</param>
    internal bool TryWriteAdditional(
        scoped ReadOnlySpan<byte> name, scoped ref readonly LookupName lookup, scoped ZoneNode node, scoped RRset rrset)
    {
        int before = Position, owner = WriteUnder(name, in lookup, rrset);
        if (owner < 0) return Undo(before);
        AddCount(Section.Additional, rrset.Count);
        if (WithSignatures) AddSignatures(owner, node, rrset.Type);
        return true;
    }

    /// <summary>Writes an RRset of the authority section under its own name, with its signatures where the client wants them.</summary>
    /// <param name="node">The node that has the RRset.</param>
    /// <param name="rrset">The RRset, of a type without names that could be compressed.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal bool TryWriteAuthority(scoped ZoneNode node, scoped RRset rrset)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(node.Name);
        int before = Position, count = rrset.Count, owner = WriteUnder(node.Name, in lookup, rrset);
        if (owner < 0) return Undo(before);
        if (WithSignatures && node.TryFindSignatures(rrset.Type, out RRset signatures))
        {
            if (owner > NameCompressor.MaxOffset || !TryWriteRRset(owner, signatures, signatures.Ttl)) return Undo(before);
            count += signatures.Count;
        }
        AddCount(Section.Authority, count);
        return true;
    }

    /// <summary>Writes an RRset under any name.</summary>
    /// <returns>Where the name can be read; -1 if the RRset does not fit: what was written by then is the caller's to undo.</returns>
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

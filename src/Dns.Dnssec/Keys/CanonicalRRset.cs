namespace Dns.Dnssec.Keys;

/// <summary>
/// An RRset in canonical form (RFC 4034 §6.2, §6.3), the input of signatures. Holds one RRset at a time in reused
/// memory; for one thread, without allocation once the memory has grown.
/// </summary>
/// <remarks><code>
/// canonical.Set(owner, rrset, rrset.Ttl);                  // or Begin, Add for each record, End
/// int prefix = RrsigFields.WritePrefix(rdata, ...);
/// key.TrySign(canonical.SignedData(rdata[..prefix]), rdata[prefix..], out int octets);
/// </code>
/// The owner is lowercased, and so are names in the RDATA of the types that RFC 4034 lists; records are sorted by
/// RDATA, duplicates removed.
/// </remarks>
public sealed class CanonicalRRset
{
    private const int FirstOctets = 4096;
    private const int FirstRecords = 16;
    private const int FixedOctets = RecordReader.FixedOctets;

    private readonly Comparison<Piece> _byRdata;
    private readonly byte[] _owner = new byte[WireName.MaxOctets];
    private byte[] _rdata = new byte[FirstOctets];
    private byte[] _octets = new byte[FirstOctets];
    private Piece[] _pieces = new Piece[FirstRecords];
    private int _ownerOctets;
    private int _rdataOctets;
    private int _end;
    private RRType _type;
    private RRClass _class;
    private uint _ttl;

    /// <summary>Creates an empty instance.</summary>
    public CanonicalRRset() => _byRdata = (left, right) => Rdata(left).SequenceCompareTo(Rdata(right));

    /// <summary>Number of records without duplicates.</summary>
    public int Count { get; private set; }

    /// <summary>The RRset as octets: the records in wire form, uncompressed.</summary>
    public ReadOnlySpan<byte> Octets => _octets.AsSpan(RrsigFields.MaxPrefixOctets.._end);

    /// <summary>Labels of an owner as RRSIG counts them: without the root and an asterisk (RFC 4034 §3.1.3).</summary>
    public static int LabelsOf(ReadOnlySpan<byte> owner)
    {
        int labels = WireName.CountLabels(owner);
        return owner is [1, (byte)'*', ..] ? labels - 1 : labels;
    }

    /// <summary>Puts an RRset of a zone into canonical form.</summary>
    /// <param name="owner">The owner, in any letter case.</param>
    /// <param name="originalTtl">The original TTL of the RRSIG, in seconds.</param>
    public void Set(ReadOnlySpan<byte> owner, RRset rrset, uint originalTtl)
    {
        Begin(owner, rrset.Type, originalTtl);
        foreach (ReadOnlySpan<byte> rdata in rrset) Add(rdata);
        End();
    }

    /// <summary>Begins an RRset.</summary>
    /// <param name="owner">The owner, in any letter case.</param>
    /// <param name="originalTtl">The original TTL of the RRSIG, in seconds.</param>
    public void Begin(ReadOnlySpan<byte> owner, RRType type, uint originalTtl, RRClass @class = RRClass.IN)
    {
        WireName.ToLower(owner, _owner.AsSpan(0, owner.Length));
        (_ownerOctets, _type, _ttl, _class) = (owner.Length, type, originalTtl, @class);
        (Count, _rdataOctets, _end) = (0, 0, RrsigFields.MaxPrefixOctets);
    }

    /// <summary>
    /// Begins an RRset whose signature counts fewer labels than its owner has: its owner becomes the wildcard that it
    /// was expanded from (RFC 4035 §5.3.2).
    /// </summary>
    /// <returns>False if the signature counts more labels than the owner has.</returns>
    public bool TryBegin(ReadOnlySpan<byte> owner, RRType type, uint originalTtl, int labels,
        RRClass @class = RRClass.IN)
    {
        int own = LabelsOf(owner);
        if (labels > own) return false;
        if (labels == own)
        {
            Begin(owner, type, originalTtl, @class);
            return true;
        }
        for (int skip = WireName.CountLabels(owner) - labels; skip > 0; skip--) owner = owner[(owner[0] + 1)..];
        Span<byte> wildcard = stackalloc byte[2 + WireName.MaxOctets];
        "\u0001*"u8.CopyTo(wildcard);
        owner.CopyTo(wildcard[2..]);
        Begin(wildcard[..(2 + owner.Length)], type, originalTtl, @class);
        return true;
    }

    /// <summary>Adds a record; its valid, uncompressed RDATA is copied.</summary>
    public void Add(ReadOnlySpan<byte> rdata)
    {
        if (_rdata.Length - _rdataOctets < rdata.Length)
            Array.Resize(ref _rdata, Math.Max(2 * _rdata.Length, _rdataOctets + rdata.Length));
        if (Count == _pieces.Length) Array.Resize(ref _pieces, 2 * _pieces.Length);
        Span<byte> own = _rdata.AsSpan(_rdataOctets, rdata.Length);
        rdata.CopyTo(own);
        Protocol.RecordData.Rdata.ToCanonical(_type, own);
        _pieces[Count++] = new Piece(_rdataOctets, rdata.Length);
        _rdataOctets += rdata.Length;
    }

    /// <summary>Sorts and writes the added records.</summary>
    public void End()
    {
        Span<Piece> pieces = _pieces.AsSpan(0, Count);
        if (Count > 1) pieces.Sort(_byRdata);
        int most = RrsigFields.MaxPrefixOctets + Count * (_ownerOctets + FixedOctets) + _rdataOctets;
        if (_octets.Length < most) Array.Resize(ref _octets, Math.Max(2 * _octets.Length, most));
        int written = 0;
        for (int i = 0; i < pieces.Length; i++)
        {
            if (i > 0 && Rdata(pieces[i]).SequenceEqual(Rdata(pieces[i - 1]))) continue;
            Write(Rdata(pieces[i]));
            written++;
        }
        Count = written;
    }

    /// <summary>The signed octets (RFC 4034 §3.1.8.1): the RRSIG's RDATA before its signature, and the RRset.</summary>
    /// <param name="prefix">The RDATA before the signature; the signer's name in any letter case.</param>
    /// <returns>Octets that are valid until the next call.</returns>
    public ReadOnlySpan<byte> SignedData(ReadOnlySpan<byte> prefix)
    {
        int start = RrsigFields.MaxPrefixOctets - prefix.Length;
        Span<byte> own = _octets.AsSpan(start, prefix.Length);
        prefix.CopyTo(own);
        WireName.ToLower(own[RrsigFields.FixedOctets..], own[RrsigFields.FixedOctets..]);
        return _octets.AsSpan(start.._end);
    }

    private void Write(ReadOnlySpan<byte> rdata)
    {
        Span<byte> octets = _octets.AsSpan(_end);
        _owner.AsSpan(0, _ownerOctets).CopyTo(octets);
        Span<byte> rest = octets[_ownerOctets..];
        BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)_type);
        BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)_class);
        BinaryPrimitives.WriteUInt32BigEndian(rest[4..], _ttl);
        BinaryPrimitives.WriteUInt16BigEndian(rest[8..], (ushort)rdata.Length);
        rdata.CopyTo(rest[FixedOctets..]);
        _end += _ownerOctets + FixedOctets + rdata.Length;
    }

    private ReadOnlySpan<byte> Rdata(Piece piece) => _rdata.AsSpan(piece.Start, piece.Octets);

    private readonly record struct Piece(int Start, int Octets);
}

namespace Dns.Zones.Checks;

/// <summary>
/// A diagnostic of a built zone, which has names and records but no lines; it recognises its line when the records of
/// its owner are read again in file order.
/// </summary>
internal sealed class NodeDiagnostic(
    NodeDiagnosticKind kind, Severity severity, byte[] owner, RRType type, byte[] rdata, string message)
{
    private byte[]? _first;
    private uint _firstTtl;
    private bool _hasLeft;
    private bool _hasRight;

    /// <summary>How its line is recognised.</summary>
    public NodeDiagnosticKind Kind => kind;

    /// <summary>Whether the zone is served nevertheless.</summary>
    public Severity Severity => severity;

    /// <summary>Its name, in wire form.</summary>
    public byte[] Owner => owner;

    /// <summary>The canonical RDATA of its record; empty if it is about a name or a type.</summary>
    public byte[] Rdata => rdata;

    /// <summary>Its type; 0 if it is about a name.</summary>
    public RRType Type => type;

    /// <summary>Whether it is about one record, instead of a name or a type.</summary>
    public bool IsOfRecord => kind is NodeDiagnosticKind.Record or NodeDiagnosticKind.LaterCopy;

    /// <summary>Whether its RDATA is wrong, instead of its presence.</summary>
    public bool IsOfRdata => kind == NodeDiagnosticKind.Record;

    public string Message => message;

    public bool IsLocated { get; private set; }

    /// <summary>Passes the next record of its owner; for a diagnostic of one record, only duplicates of it.</summary>
    public bool IsCompletedBy(RRType recordType, uint ttl, ReadOnlySpan<byte> canonicalRdata)
    {
        if (IsLocated) return false;
        return IsLocated = kind switch
        {
            NodeDiagnosticKind.CnameBesideOther =>
                HasBoth(recordType == RRType.CNAME, !IsAllowedBesideCname(recordType)),
            NodeDiagnosticKind.NsBesideDname => HasBoth(recordType == RRType.DNAME, recordType == RRType.NS),
            NodeDiagnosticKind.FirstOfType or NodeDiagnosticKind.ChainGap => recordType == type,
            NodeDiagnosticKind.SecondOfType => recordType == type && DiffersFromFirst(canonicalRdata),
            NodeDiagnosticKind.OtherTtl => recordType == type && HasOtherTtl(ttl),
            NodeDiagnosticKind.LaterCopy => IsLater(),
            _ => true,
        };
    }

    /// <summary>
    /// Whether a type is allowed at a CNAME (RFC 4034 §3, §4; RFC 5155 §7.1, where the name is also that of an NSEC3
    /// record; for older types RFC 2535 §2.3.5, RFC 3007 §3.1.1).
    /// </summary>
    public static bool IsAllowedBesideCname(RRType type) => type is RRType.CNAME or RRType.RRSIG or RRType.NSEC
        or RRType.NSEC3 or RRType.KEY or RRType.SIG or RRType.NXT;

    private bool HasBoth(bool isLeft, bool isRight)
    {
        bool both = (_hasLeft || isLeft) && (_hasRight || isRight);
        _hasLeft |= isLeft;
        _hasRight |= isRight;
        return both;
    }

    private bool IsLater()
    {
        bool isLater = _hasLeft;
        _hasLeft = true;
        return isLater;
    }

    private bool DiffersFromFirst(ReadOnlySpan<byte> canonicalRdata)
    {
        if (_first is not null) return !canonicalRdata.SequenceEqual(_first);
        _first = canonicalRdata.ToArray();
        return false;
    }

    private bool HasOtherTtl(uint ttl)
    {
        if (_hasLeft) return ttl != _firstTtl;
        (_hasLeft, _firstTtl) = (true, ttl);
        return false;
    }
}

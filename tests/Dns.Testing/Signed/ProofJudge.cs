namespace Dns.Testing;

/// <summary>
/// Judges proofs of denial as a validator does that knows only the records of one answer (RFC 4035 §5.4, RFC 5155 §8):
/// slow, plain, over names as text.
/// </summary>
public sealed class ProofJudge
{
    private sealed record Link(string Owner, string Next, HashSet<RRType> Types, bool OptsOut);

    private readonly string _apex;
    private readonly List<Link> _names = [], _hashes = [];
    private readonly int _iterations;
    private readonly byte[] _salt = [];

    /// <summary>Takes the NSEC and NSEC3 records of an answer.</summary>
    public ProofJudge(string apex, IEnumerable<MessageRecord> records)
    {
        _apex = apex;
        foreach (MessageRecord record in records)
        {
            string owner = Text(record.Owner);
            if (record.Type == RRType.NSEC)
            {
                WireName.TryMeasure(record.Rdata, out int length);
                string next = Text(DomainName.FromOctets(record.Rdata.AsSpan(0, length)));
                _names.Add(new Link(owner, next, Types(record.Rdata[length..]), false));
            }
            else if (record.Type == RRType.NSEC3)
            {
                byte[] rdata = record.Rdata;
                _iterations = rdata[2] << 8 | rdata[3];
                _salt = rdata[5..(5 + rdata[4])];
                int at = 5 + rdata[4];
                string next = SignedZone.Base32(rdata[(at + 1)..(at + 1 + rdata[at])]);
                string label = NameOrder.Labels(owner)[0];
                _hashes.Add(new Link(label, next, Types(rdata[(at + 1 + rdata[at])..]), (rdata[1] & 1) != 0));
            }
        }
    }

    /// <summary>The name as lower-case text without the final dot.</summary>
    public static string Text(DomainName name) => name.ToString().ToLowerInvariant().TrimEnd('.');

    /// <summary>
    /// Whether it is shown that a name does not exist, and no wildcard for it. Where an encloser is left out of an
    /// opt-out chain, a wildcard may be there that does not apply, and no record says so.
    /// </summary>
    public bool DeniesName(string name, string encloser) => _hashes.Count == 0
        ? IsCovered(name) && IsCovered(Wildcard(encloser))
        : Enclosers(name).Any(above =>
            IsHashThere(above) && IsHashCovered(NextCloser(name, above), false)
            && (IsHashCovered(Wildcard(above), false) || (above != encloser && IsHashThere(Wildcard(above)))));

    /// <summary>Whether it is shown that a name has no data of a type.</summary>
    public bool DeniesType(string name, RRType type) => _hashes.Count == 0
        ? _names.Any(link => link.Owner == name && Lacks(link, type)) ||
            _names.Any(link => NameOrder.IsBelow(link.Next, name) && Covers(link, name))
        : _hashes.Any(link => link.Owner == HashOf(name) && Lacks(link, type)) || IsOptedOut(name);

    /// <summary>Whether it is shown that nothing is closer to a name than a wildcard.</summary>
    public bool DeniesCloser(string name, string encloser) =>
        _hashes.Count == 0 ? IsCovered(name) : IsHashCovered(NextCloser(name, encloser), false);

    /// <summary>Whether it is shown that a name does not exist, and its wildcard lacks a type.</summary>
    public bool DeniesTypeOfWildcard(string name, string encloser, RRType type) => _hashes.Count == 0
        ? IsCovered(name) && DeniesType(Wildcard(encloser), type)
        : IsHashThere(encloser) ? IsHashCovered(NextCloser(name, encloser), false) &&
            DeniesType(Wildcard(encloser), type) : IsOptedOut(name);

    /// <summary>Whether it is shown that a delegation has no DS.</summary>
    public bool DeniesDs(string cut) => _hashes.Count == 0
        ? _names.Any(link => link.Owner == cut && IsInsecure(link))
        : _hashes.Any(link => link.Owner == HashOf(cut) && IsInsecure(link)) || IsOptedOut(cut);

    private static bool IsInsecure(Link link) =>
        link.Types.Contains(RRType.NS) && !link.Types.Contains(RRType.DS) && !link.Types.Contains(RRType.SOA);

    // A name with an alias has the type if it has anything (RFC 6840 §4.3); a cut's own record speaks for DS alone.
    private static bool Lacks(Link link, RRType type) =>
        !link.Types.Contains(type) && !link.Types.Contains(RRType.CNAME)
        && (type == RRType.DS || !link.Types.Contains(RRType.NS) || link.Types.Contains(RRType.SOA));

    private static string Wildcard(string name) => name.Length == 0 ? "*" : $"*.{name}";

    private IEnumerable<string> Enclosers(string name)
    {
        while (name != _apex) yield return name = NameOrder.Parent(name);
    }

    private static string NextCloser(string name, string above)
    {
        while (NameOrder.Parent(name) != above) name = NameOrder.Parent(name);
        return name;
    }

    private bool IsCovered(string name) => _names.Any(link => Covers(link, name));

    private bool Covers(Link link, string name)
    {
        // The record of a cut or a DNAME proves nothing about names below (RFC 6840 §4.1).
        bool isAncestor = NameOrder.IsBelow(name, link.Owner)
            &&
            ((link.Types.Contains(RRType.NS) && !link.Types.Contains(RRType.SOA)) || link.Types.Contains(RRType.DNAME));
        if (isAncestor || NameOrder.Canonical.Compare(link.Owner, name) >= 0) return false;
        return link.Next == _apex || NameOrder.Canonical.Compare(name, link.Next) < 0;
    }

    private bool IsOptedOut(string name) => name != _apex
        && Enclosers(name).Any(above => IsHashThere(above) && IsHashCovered(NextCloser(name, above), mustOptOut: true));

    private string HashOf(string name) => SignedZone.Hash(name, _iterations, _salt);

    private bool IsHashThere(string name) => _hashes.Any(link => link.Owner == HashOf(name)
        && !link.Types.Contains(RRType.DNAME) && (!link.Types.Contains(RRType.NS) || link.Types.Contains(RRType.SOA)));

    private bool IsHashCovered(string name, bool mustOptOut)
    {
        string hash = HashOf(name);
        return _hashes.Any(link => (link.OptsOut || !mustOptOut) && (string.CompareOrdinal(link.Owner, link.Next) < 0
            ? string.CompareOrdinal(link.Owner, hash) < 0 && string.CompareOrdinal(hash, link.Next) < 0
            : string.CompareOrdinal(link.Owner, hash) < 0 || string.CompareOrdinal(hash, link.Next) < 0));
    }

    private static HashSet<RRType> Types(byte[] bitmap)
    {
        HashSet<RRType> types = [];
        for (int at = 0; at < bitmap.Length; at += 2 + bitmap[at + 1])
            for (int bit = 0; bit < bitmap[at + 1] * 8; bit++)
                if ((bitmap[at + 2 + bit / 8] & 0x80 >> bit % 8) != 0) types.Add((RRType)(bitmap[at] << 8 | bit));
        return types;
    }
}

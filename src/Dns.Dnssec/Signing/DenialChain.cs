namespace Dns.Dnssec.Signing;

/// <summary>The ring of NSEC or NSEC3 records of a signed version. Members are lowercase names, or hashes.</summary>
internal abstract class DenialChain : IComparer<byte[]>
{
    internal static DenialChain Of(Zone signed, DenialPlan plan) =>
        plan.IsHashed ? new HashedChain(signed) : new NameChain(signed);

    /// <summary>Compares two members, or candidates, in the order of the ring.</summary>
    public abstract int Compare(byte[]? left, byte[]? right);

    internal abstract bool Contains(byte[] member);

    /// <summary>The member before a given one, which need not exist.</summary>
    internal abstract byte[] Before(byte[] member);

    /// <summary>The member after a given one, which need not exist.</summary>
    internal abstract byte[] After(byte[] member);

    /// <summary>Names in canonical order, linked by NSEC.</summary>
    private sealed class NameChain(Zone signed) : DenialChain
    {
        public override int Compare(byte[]? left, byte[]? right) => CanonicalOrder.Compare(left, right);

        internal override bool Contains(byte[] member) =>
            SourceNames.TryFind(signed, member, out ZoneNode node) && node.TryFind(RRType.NSEC, out _);

        // Each step skips at most the labels of a name: a subtree below a cut is skipped at once, and below an empty
        // non-terminal some name has data.
        internal override byte[] Before(byte[] member)
        {
            ReadOnlySpan<byte> name = member;
            while (signed.Order.TryFindBefore(name, out ZoneNode node))
            {
                if (node.TryFind(RRType.NSEC, out _)) return node.Name.ToArray();
                name = node.Name;
                if (!SourceNames.TryFindTop(signed, name, out int labels)) continue;
                for (; labels > 0; labels--) name = name[(name[0] + 1)..];
                if (SourceNames.TryFind(signed, name, out node) && node.TryFind(RRType.NSEC, out _))
                    return name.ToArray();
            }
            return signed.Apex.ToArray();
        }

        internal override byte[] After(byte[] member)
        {
            ReadOnlySpan<byte> at = Contains(member) ? member : Before(member);
            if (!SourceNames.TryFind(signed, at, out ZoneNode node)) return signed.Apex.ToArray();
            if (!node.TryFind(RRType.NSEC, out RRset nsec)) return signed.Apex.ToArray();
            byte[] next = nsec.First[..DenialRdata.BitmapAt(RRType.NSEC, nsec.First)].ToArray();
            WireName.ToLower(next, next);
            return next;
        }
    }

    /// <summary>Hashes, linked by NSEC3, in the index that answers use.</summary>
    private sealed class HashedChain(Zone signed) : DenialChain
    {
        private readonly byte[] _owner = new byte[Nsec3Hash.LengthOctets], _next = new byte[Nsec3Hash.LengthOctets];

        public override int Compare(byte[]? left, byte[]? right) => left.AsSpan().SequenceCompareTo(right);

        internal override bool Contains(byte[] member) => TryFind(member) && _owner.AsSpan().SequenceEqual(member);

        // The record at or before the hash that is less by one.
        internal override byte[] Before(byte[] member)
        {
            byte[] less = [.. member];
            int at = less.Length - 1;
            while (at >= 0 && less[at]-- == 0) at--;
            return TryFind(less) ? [.. _owner] : member;
        }

        internal override byte[] After(byte[] member) => TryFind(member) ? [.. _next] : member;

        private bool TryFind(byte[] hash) =>
            signed.Denial is { } denial && denial.TryFindHash(signed, hash, _owner, _next);
    }
}

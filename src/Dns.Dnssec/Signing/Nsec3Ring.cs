using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>
/// The sorted hashes of a signed version, in the order of its NSEC3 records: pages that versions share. Immutable; a
/// change makes another ring.
/// </summary>
internal sealed class Nsec3Ring
{
    private const int MostOfPage = 256;
    private const int FirstOfPage = 192;

    private static readonly ConditionalWeakTable<Zone, Nsec3Ring> Known = new();

    private readonly HashedName[][] _pages;

    private Nsec3Ring(HashedName[][] pages) => _pages = pages;

    /// <summary>Creates the ring of sorted hashes.</summary>
    internal static Nsec3Ring OfSorted(List<HashedName> hashes) => new([.. hashes.Chunk(FirstOfPage)]);

    /// <summary>The ring of a signed version: the attached one, else read from its NSEC3 records.</summary>
    internal static Nsec3Ring Of(Zone signed) => Known.GetValue(signed, Read);

    /// <summary>Attaches the ring to a version for its lifetime.</summary>
    internal void KeepWith(Zone signed) => Known.AddOrUpdate(signed, this);

    /// <summary>Whether it is empty.</summary>
    internal bool IsEmpty => _pages.Length == 0;

    /// <summary>Whether it contains a hash.</summary>
    internal bool Contains(HashedName hash)
    {
        if (IsEmpty) return false;
        HashedName[] page = _pages[PageOf(hash)];
        return Array.BinarySearch(page, hash) >= 0;
    }

    /// <summary>The greatest hash below another, wrapping around. Not for an empty ring.</summary>
    internal HashedName Before(HashedName hash)
    {
        int number = PageOf(hash), place = PlaceIn(_pages[number], hash);
        if (place > 0) return _pages[number][place - 1];
        return number > 0 ? _pages[number - 1][^1] : _pages[^1][^1];
    }

    /// <summary>The least hash above another, wrapping around. Not for an empty ring.</summary>
    internal HashedName After(HashedName hash)
    {
        int number = PageOf(hash), place = PlaceIn(_pages[number], hash);
        if (place < _pages[number].Length && _pages[number][place].IsSameHash(hash)) place++;
        if (place < _pages[number].Length) return _pages[number][place];
        return _pages[number + 1 == _pages.Length ? 0 : number + 1][0];
    }

    /// <summary>The ring with added and removed hashes.</summary>
    internal Nsec3Ring With(IEnumerable<HashedName> removed, IEnumerable<HashedName> added)
    {
        List<HashedName[]> pages = [.. _pages];
        foreach (HashedName hash in removed)
        {
            int number = PageOf(pages, hash), place = PlaceIn(pages[number], hash);
            HashedName[] page = pages[number];
            if (page.Length == 1) pages.RemoveAt(number);
            else pages[number] = [.. page[..place], .. page[(place + 1)..]];
        }
        foreach (HashedName hash in added)
        {
            if (pages.Count == 0) pages.Add([]);
            int number = PageOf(pages, hash), place = PlaceIn(pages[number], hash);
            HashedName[] grown = [.. pages[number][..place], hash, .. pages[number][place..]];
            if (grown.Length <= MostOfPage) pages[number] = grown;
            else
            {
                pages[number] = grown[..(grown.Length / 2)];
                pages.Insert(number + 1, grown[(grown.Length / 2)..]);
            }
        }
        return new Nsec3Ring([.. pages]);
    }

    private static Nsec3Ring Read(Zone signed)
    {
        List<HashedName> hashes = [];
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        foreach (ZoneNode node in signed)
            if (node.TryFind(RRType.NSEC3, out _) && DenialRdata.TryReadOwner(node.Name, hash))
                hashes.Add(HashedName.Of(hash));
        hashes.Sort();
        return OfSorted(hashes);
    }

    private int PageOf(HashedName hash) => PageOf(_pages, hash);

    /// <summary>The last page whose first hash is not above another; else the first page.</summary>
    private static int PageOf(IReadOnlyList<HashedName[]> pages, HashedName hash)
    {
        int low = 0, high = pages.Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) >> 1;
            if (pages[middle].Length == 0 || pages[middle][0].CompareTo(hash) <= 0) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    private static int PlaceIn(HashedName[] page, HashedName hash)
    {
        int place = Array.BinarySearch(page, hash);
        return place < 0 ? ~place : place;
    }
}

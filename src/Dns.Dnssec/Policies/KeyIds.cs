using System.Collections;

namespace Dns.Dnssec.Policies;

/// <summary>A sorted set of keys. Immutable, with value equality.</summary>
[CollectionBuilder(typeof(KeyIds), nameof(Of))]
public sealed class KeyIds : IReadOnlyList<KeyId>, IEquatable<KeyIds>
{
    /// <summary>No key.</summary>
    public static readonly KeyIds None = new([]);

    private readonly KeyId[] _ids;

    private KeyIds(KeyId[] sorted) => _ids = sorted;

    /// <inheritdoc/>
    public int Count => _ids.Length;

    /// <inheritdoc/>
    public KeyId this[int index] => _ids[index];

    /// <summary>The algorithms of the keys, each once.</summary>
    public IEnumerable<DnssecAlgorithm> Algorithms => _ids.Select(id => id.Algorithm).Distinct();

    /// <summary>Creates a set of keys in any order.</summary>
    public static KeyIds Of(params ReadOnlySpan<KeyId> ids) => Of((IEnumerable<KeyId>)ids.ToArray());

    /// <summary>Creates a set of keys in any order.</summary>
    public static KeyIds Of(IEnumerable<KeyId> ids) =>
        new([.. ids.Distinct().OrderBy(id => id.Algorithm).ThenBy(id => id.Tag)]);

    /// <summary>Whether it contains a key.</summary>
    public bool Contains(KeyId id) => Array.IndexOf(_ids, id) >= 0;

    /// <summary>Whether any of them has an algorithm.</summary>
    public bool Has(DnssecAlgorithm algorithm) => Array.Exists(_ids, id => id.Algorithm == algorithm);

    /// <summary>The union.</summary>
    public KeyIds With(IEnumerable<KeyId> others) => Of(_ids.Concat(others));

    /// <summary>The difference.</summary>
    public KeyIds Without(IEnumerable<KeyId> others) => Of(_ids.Except(others));

    /// <summary>Reads the form of <see cref="ToString"/>.</summary>
    public static bool TryParse(string text, out KeyIds ids)
    {
        ids = None;
        if (text == "-") return true;
        List<KeyId> read = [];
        foreach (string part in text.Split(','))
        {
            if (!KeyId.TryParse(part, out KeyId id)) return false;
            read.Add(id);
        }
        ids = Of(read);
        return true;
    }

    /// <summary>The keys separated by commas; <c>-</c> without any.</summary>
    public override string ToString() => _ids.Length == 0 ? "-" : string.Join(',', _ids);

    /// <summary>The tags for messages: <c>4711 and 815</c>.</summary>
    public string Tags() => string.Join(" and ", _ids.Select(id => id.Tag));

    /// <inheritdoc/>
    public bool Equals(KeyIds? other) => other is not null && _ids.AsSpan().SequenceEqual(other._ids);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as KeyIds);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode hash = default;
        foreach (KeyId id in _ids) hash.Add(id);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public IEnumerator<KeyId> GetEnumerator() => ((IEnumerable<KeyId>)_ids).GetEnumerator();

    /// <inheritdoc/>
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

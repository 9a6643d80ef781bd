using System.Collections.Frozen;

namespace Dns.Protocol.Tsig;

/// <summary>The known keys by name. Immutable.</summary>
public sealed class TsigKeyRing
{
    private readonly FrozenDictionary<DomainName, TsigKey> _keys;

    /// <summary>Creates a key ring.</summary>
    /// <exception cref="ArgumentException">Two keys have the same name.</exception>
    public TsigKeyRing(IEnumerable<TsigKey> keys) => _keys = keys.ToFrozenDictionary(key => key.Name);

    /// <summary>The empty key ring.</summary>
    public static TsigKeyRing Empty { get; } = new([]);

    /// <summary>The number of keys.</summary>
    public int Count => _keys.Count;

    /// <summary>All keys.</summary>
    public IEnumerable<TsigKey> Keys => _keys.Values;

    /// <summary>Finds the key of a name; null if there is none.</summary>
    public TsigKey? Find(DomainName name) => _keys.GetValueOrDefault(name);
}

using System.Collections.Concurrent;

namespace Dns.Dnssec.Tests;

/// <summary>Generates keys of which no two have one tag, like those of a zone: 65,536 tags meet by chance.</summary>
internal static class DistinctKeys
{
    private static readonly ConcurrentDictionary<ushort, bool> Tags = [];

    internal static SigningKey Generate(DnssecAlgorithm algorithm, bool isSep)
    {
        while (true)
        {
            SigningKey key = SigningKey.Generate(algorithm, isSep);
            if (Tags.TryAdd(key.Public.Tag, true)) return key;
            key.Dispose();
        }
    }

    /// <summary>Generates a KSK and a ZSK with one tag.</summary>
    internal static (SigningKey Ksk, SigningKey Zsk) Twins()
    {
        Dictionary<ushort, SigningKey> ksks = [], zsks = [];
        while (true)
        {
            SigningKey ksk = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
            ksks[ksk.Public.Tag] = ksk;
            SigningKey zsk = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
            zsks[zsk.Public.Tag] = zsk;
            if (zsks.TryGetValue(ksk.Public.Tag, out SigningKey? twin)) return (ksk, twin);
            if (ksks.TryGetValue(zsk.Public.Tag, out twin)) return (twin, zsk);
        }
    }
}

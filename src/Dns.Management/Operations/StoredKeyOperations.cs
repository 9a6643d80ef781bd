namespace Dns.Management.Operations;

/// <summary>The keys of zones in a folder that no running server uses.</summary>
/// <param name="policyOf">Finds the policy of a zone; null if its settings have none.</param>
public sealed class StoredKeyOperations(string folder, Func<DomainName, DnssecPolicy?> policyOf,
    TimeProvider time) : IKeyOperations
{
    private readonly KeyStore _store = new(folder, time.GetUtcNow);

    public KeyList List(DomainName zone)
    {
        using KeyFolder files = KeyFolder.Read(folder, zone);
        if (files.Errors.Count > 0)
            throw new OperationException(OperationError.Rejected, string.Join('\n', files.Errors));
        if (files.Keys.Count == 0) throw NoKeys(zone);
        ZoneKeys keys = Load(zone);
        DnssecPolicy policy = policyOf(zone) ?? keys.Policy ?? PolicyOf(keys);
        KeyList listing = KeyList.Of(zone, keys, WaitsOf(keys, policy));
        // Unused files: keys generated for another machine, or for a future rollover.
        IEnumerable<ListedKey> spare = files.Keys
            .Where(file => keys.Find(new KeyId(file.Public.Algorithm, file.Public.Tag)) is null)
            .Select(file => Spare(file, policy));
        return listing with { Keys = [.. listing.Keys, .. spare], Warnings = _store.FindOpen(zone) };
    }

    public string Ds(DomainName zone, DsDigest digest) =>
        ParentDsLines.Of(folder, zone, digest, time.GetUtcNow());

    public string RollOver(DomainName zone, bool ksk, bool zsk, DnssecAlgorithm? algorithm)
    {
        ZoneKeys keys = Load(zone);
        bool isDone = algorithm is { } wanted
            ? KeyRequests.TryRollOver(keys, policyOf(zone) ?? keys.Policy ?? PolicyOf(keys), wanted, out ZoneKeys next,
                out KeyReply reply)
            : KeyRequests.TryRollOver(keys, ksk, zsk, out next, out reply);
        return Save(zone, isDone ? next : null, reply);
    }

    public string Submit(DomainName zone, ushort? tag) =>
        KeyRequests.TrySubmit(Load(zone), policyOf(zone), tag, time.GetUtcNow(), out ZoneKeys next, out KeyReply reply)
            ? Save(zone, next, reply) : Save(zone, null, reply);

    public string Request(DomainName zone, DateTimeOffset? from, DateTimeOffset until, bool replacesZsk) =>
        OperationException.Storing(() => KeySetRequests.TryMake(_store, OfflineZoneOf(zone), from, until,
            time.GetUtcNow(), out KeySets request, out KeyReply reply, replacesZsk)
            ? KeySetText.Format(request) : throw Rejected(zone, reply));

    public string LoadBundle(DomainName zone, string text, bool mayShorten)
    {
        if (!KeySetText.TryRead(text, isBundle: true, out KeySets? bundle, out TextFault? fault))
            throw new OperationException(OperationError.Rejected, $"the bundle: {fault}");
        return OperationException.Storing(() =>
        {
            if (!KeySetRequests.TryLoad(_store, OfflineZoneOf(zone), bundle, time.GetUtcNow(), out KeySets next,
                out KeyReply reply, mayShorten))
                throw Rejected(zone, reply);
            _store.SaveBundle(next);
            return KeyReplyText.Of(reply);
        });
    }

    /// <summary>The facts of a zone without its data: TTLs as last served, or defaults.</summary>
    private OfflineZone OfflineZoneOf(DomainName zone)
    {
        ZoneKeys keys = Load(zone);
        DnssecPolicy policy = policyOf(zone) ?? keys.Policy ?? PolicyOf(keys);
        TimeSpan keysTtl = policy.DnskeyTtl ?? TtlOf(keys.KeySets, TimeSpan.FromHours(1));
        return new OfflineZone(zone, policy, keys, _store.LoadBundle(zone), keysTtl,
            TtlOf(keys.SignerSets, TimeSpan.FromDays(1)));
    }

    /// <summary>The assumed policy without settings: the keys stay unchanged.</summary>
    private static DnssecPolicy PolicyOf(ZoneKeys keys) =>
        keys.Keys.LastOrDefault(key => key is { IsRetiring: false, IsRemoved: false }) is not { } key
        ? DnssecPolicy.Default
        : DnssecPolicy.Default with
        {
            Algorithm = key.Id.Algorithm,
            Keys = key.Role == KeyRole.Csk ? KeyScheme.Csk : KeyScheme.KskAndZsk,
            ZskLifetime = TimeSpan.Zero,
        };

    private static ListedKey Spare(KeyFile file, DnssecPolicy policy)
    {
        KeyRole role = !file.Public.IsSep ? KeyRole.Zsk : policy.Keys == KeyScheme.Csk ? KeyRole.Csk : KeyRole.Ksk;
        return new ListedKey(file.Public.Tag, DnssecAlgorithms.NameOf(file.Public.Algorithm), role.Text(),
            KeyState.Generated.Text())
        {
            Created = file.Times.Created ?? default, Published = file.Times.Publish, Activated = file.Times.Activate,
        };
    }

    /// <summary>The next events if the plan were served.</summary>
    private IReadOnlyList<KeyWait> WaitsOf(ZoneKeys keys, DnssecPolicy policy)
    {
        TimeSpan keysTtl = TtlOf(keys.KeySets, policy.DnskeyTtl ?? TimeSpan.FromHours(1));
        ServedKeys served =
            ServedKeys.Of(KeyRollover.PlanOf(keys), keysTtl, TtlOf(keys.SignerSets, TimeSpan.FromDays(1)));
        return KeyRollover.Step(keys.IsLeaving ? null : policy, keys, new ZoneFacts(served), time.GetUtcNow()).Waits;
    }

    private static TimeSpan TtlOf(IReadOnlyList<CachedSet> sets, TimeSpan otherwise) =>
        sets.Count == 0 ? otherwise : sets.Max(set => set.Ttl);

    private ZoneKeys Load(DomainName zone)
    {
        try
        {
            return _store.Load(zone);
        }
        catch (IOException error)
        {
            throw new OperationException(OperationError.Rejected, error.Message);
        }
    }

    private string Save(DomainName zone, ZoneKeys? next, KeyReply reply)
    {
        if (next is null) throw Rejected(zone, reply);
        return OperationException.Storing(() =>
        {
            _store.Save(zone, next);
            return KeyReplyText.Of(reply);
        });
    }

    private static OperationException Rejected(DomainName zone, KeyReply reply) =>
        new(OperationError.Rejected, $"zone {zone}: {KeyReplyText.Of(reply)}");

    private OperationException NoKeys(DomainName zone) =>
        new(OperationError.NotFound, $"{_store.Folder}: found no key of {zone}, expected one");
}

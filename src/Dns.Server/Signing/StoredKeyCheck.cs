namespace Dns.Server.Signing;

/// <summary>Checks the stored keys of zones that are signed here, for <c>dnsd check</c>; changes nothing.</summary>
internal static class StoredKeyCheck
{
    /// <summary>Finds keys that cannot be used, that others can read, and missing bundles.</summary>
    /// <param name="stateDirectory">The state directory; null = none.</param>
    /// <returns>A line for each problem; none for zones without stored keys.</returns>
    public static IEnumerable<string> Find(
        ServerOptions options, ZoneExpansion zones, string? stateDirectory, TimeProvider time)
    {
        if (stateDirectory is null) return [];
        KeyStore store = new(Path.Join(stateDirectory, SigningSetup.KeyFolder), time.GetUtcNow);
        IEnumerable<(DomainName Name, string? Policy)> all =
        [
            .. zones.Files.Select(file => (file.Zone, file.Policy?.Dnssec)),
            .. from zone in options.Zones
               where zone is { Path: null, Name: not null }
               select (zone.Name, zone.Policy?.Dnssec),
        ];
        return from zone in all
               where zone.Policy is not null && store.HasState(zone.Name)
               from line in Find(store, zone.Name, options.FindDnssecPolicy(zone.Policy!), time.GetUtcNow())
               select $"zone {zone.Name}: {line}";
    }

    private static List<string> Find(KeyStore store, DomainName zone, DnssecPolicy? policy, DateTimeOffset now)
    {
        List<string> found = [];
        try
        {
            ZoneKeys keys = store.Load(zone);
            // The state has the policy of the last run.
            found.AddRange(store.FindOpen(zone, keys with { Policy = policy ?? keys.Policy }));
            bool isOffline = policy is { OfflineKsk: true };
            KeySets? bundle = isOffline ? store.LoadBundle(zone) : null;
            if (isOffline && bundle is null)
                found.Add("its KSK is offline, and no bundle is loaded: expected dnsd keys load-bundle");
            if (bundle?.End <= now)
                found.Add($"the signatures of its bundle ended at {bundle.End:u}: expected dnsd keys load-bundle");
            IEnumerable<KeyId> signing =
                from key in keys.Keys where !key.IsRemoved && !(isOffline && key.Role == KeyRole.Ksk) select key.Id;
            IEnumerable<KeyId> coming =
                from slot in bundle?.Slots ?? [] where slot.End > now from key in slot.Zsks select KeySlot.IdOf(key);
            foreach (KeyId id in signing.Union(coming)) store.Open(zone, id).Dispose();
        }
        catch (IOException error)
        {
            found.Add($"it cannot be signed: {error.Message}");
        }
        return found;
    }
}

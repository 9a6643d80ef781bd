namespace Dns.Features.Signing;

/// <summary>Checks the stored keys of zones that are signed here, for <c>dnsd check</c>; changes nothing.</summary>
public static class StoredKeyCheck
{
    /// <summary>Finds missing keys, those that cannot be used or that others can read, and missing bundles.</summary>
    /// <param name="stateDirectory">The state directory; null = none.</param>
    /// <returns>A line for each problem.</returns>
    public static IEnumerable<string> Find(
        ServerOptions options, ZoneExpansion zones, string? stateDirectory, TimeProvider time)
    {
        if (stateDirectory is null) return [];
        KeyStore store = new(Path.Join(stateDirectory, SigningFeature.KeyFolder), time.GetUtcNow);
        IEnumerable<(DomainName Name, string? Policy)> all =
        [
            .. zones.Files.Select(file => (file.Zone, file.Policy?.Dnssec)),
            .. from zone in options.Zones
               where zone is { Path: null, Name: not null }
               select (zone.Name, zone.Policy?.Dnssec),
        ];
        if (store.FindFault() is { } fault && Array.Exists([.. all], zone => zone.Policy is not null))
            return [$"signed zones cannot be signed, nor new ones served: {fault}"];
        string copies = Path.Join(stateDirectory, SigningFeature.SignedFolder);
        return from zone in all
               where zone.Policy is not null
               let policy = options.FindDnssecPolicy(zone.Policy!)
               let copy = Path.Combine(copies, ZoneCopyFolder.FileOf(zone.Name))
               // Without either, the start makes its first keys.
               where store.HasState(zone.Name) || policy is not null && File.Exists(copy)
               from line in Find(store, zone.Name, policy, copy, time.GetUtcNow())
               select $"zone {zone.Name}: {line}";
    }

    private static List<string> Find(
        KeyStore store, DomainName zone, DnssecPolicy? policy, string copy, DateTimeOffset now)
    {
        List<string> found = [];
        try
        {
            ZoneKeys keys = store.Load(zone);
            if (keys.Keys.Count == 0 && File.Exists(copy))
            {
                found.Add($"its keys are lost: there are none of it in {store.Folder}, but {copy} is signed with some, "
                    + "and is served: expected them back from a backup");
                return found;
            }
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

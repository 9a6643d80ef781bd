namespace Dns.Features.Signing;

/// <summary>The keys of the zones that this server signs.</summary>
/// <param name="signing">The signing; null = no zone is signed here.</param>
/// <param name="folder">The folder of the key files; null = none.</param>
internal sealed class LiveKeyOperations(ZoneSigning? signing, TimeProvider time, string? folder) : IKeyOperations
{
    public string Ds(DomainName zone, DsDigest digest)
    {
        if (folder is null) throw NotSigned(zone);
        string lines = ParentDsLines.Of(folder, zone, digest, time.GetUtcNow());
        return StatusOf(zone) is { } status ? ParentDsLines.WithTime(lines, status.Waits) : lines;
    }

    public KeyList List(DomainName zone)
    {
        if (StatusOf(zone) is not { } status) throw NotSigned(zone);
        KeyList listing = KeyList.Of(zone, status.Keys, status.Waits);
        if (status.Error is { } error) return listing with { Warnings = [$"zone {zone}: {error}"] };
        return listing.Keys.Count > 0
            ? listing : listing with { Waits = ["no keys yet: the first signing makes them"] };
    }

    public string RollOver(DomainName zone, bool ksk, bool zsk, DnssecAlgorithm? algorithm) => Change(zone,
        (keys, policy) =>
    {
        bool isDone = algorithm is { } wanted
            ? KeyRequests.TryRollOver(keys, policy, wanted, out ZoneKeys next, out string words)
            : KeyRequests.TryRollOver(keys, ksk, zsk, out next, out words);
        return (isDone ? next : null, words);
    });

    public string Submit(DomainName zone, ushort? tag) => Change(zone, (keys, policy) =>
        KeyRequests.TrySubmit(keys, policy, tag, time.GetUtcNow(), out ZoneKeys next, out string words)
            ? (next, words) : (null, words));

    public string Request(DomainName zone, DateTimeOffset? from, DateTimeOffset until, bool replacesZsk)
    {
        if (StatusOf(zone) is null) throw NotSigned(zone);
        try
        {
            return signing!.TryMakeRequest(zone, from, until, out KeySets? request, out string words, replacesZsk)
                ? KeySetText.Format(request!)
                : throw new OperationException(OperationError.Rejected, $"zone {zone}: {words}");
        }
        catch (IOException error)
        {
            throw new OperationException(OperationError.NotStored, error.Message);
        }
    }

    public string LoadBundle(DomainName zone, string text, bool mayShorten)
    {
        if (StatusOf(zone) is null) throw NotSigned(zone);
        if (!KeySetText.TryRead(text, isBundle: true, out KeySets? bundle, out string error))
            throw new OperationException(OperationError.Rejected, $"the bundle: {error}");
        try
        {
            return signing!.TryLoadBundle(zone, bundle, out string words, mayShorten)
                ? words : throw new OperationException(OperationError.Rejected, $"zone {zone}: {words}");
        }
        catch (IOException failure)
        {
            throw new OperationException(OperationError.NotStored, failure.Message);
        }
    }

    private string Change(DomainName zone, Func<ZoneKeys, DnssecPolicy, (ZoneKeys? Next, string Words)> change)
    {
        if (StatusOf(zone) is null) throw NotSigned(zone);
        (ZoneKeys? Next, string Words) result = (null, "");
        try
        {
            if (!signing!.TryChangeKeys(
                zone, (keys, policy) => (result = change(keys, policy)).Next, out string notReady))
                throw new OperationException(OperationError.NotReady, $"zone {zone}: {notReady}");
        }
        catch (IOException error)
        {
            throw new OperationException(OperationError.NotStored, error.Message);
        }
        if (result.Next is null) throw new OperationException(OperationError.Rejected, $"zone {zone}: {result.Words}");
        return result.Words;
    }

    private SigningState? StatusOf(DomainName zone) => signing?.StatusOf(zone);

    private static OperationException NotSigned(DomainName zone) =>
        new(OperationError.NotFound,
            $"zone {zone} is not signed by this server: expected one with Dnssec in its entry of Dns:Zones");
}

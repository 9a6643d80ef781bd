namespace Dns.Features.Signing;

/// <summary>The keys of the zones that this server signs.</summary>
/// <param name="signing">The signing; null = no zone is signed here.</param>
/// <param name="folder">The folder of the key files; null = none.</param>
public sealed class LiveKeyOperations(ZoneSigning? signing, TimeProvider time, string? folder) : IKeyOperations
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
            ? KeyRequests.TryRollOver(keys, policy, wanted, out ZoneKeys next, out KeyReply reply)
            : KeyRequests.TryRollOver(keys, ksk, zsk, out next, out reply);
        return (isDone ? next : null, reply);
    });

    public string Submit(DomainName zone, ushort? tag) => Change(zone, (keys, policy) =>
        KeyRequests.TrySubmit(keys, policy, tag, time.GetUtcNow(), out ZoneKeys next, out KeyReply reply)
            ? (next, reply) : (null, reply));

    public string Request(DomainName zone, DateTimeOffset? from, DateTimeOffset until, bool replacesZsk)
    {
        if (StatusOf(zone) is null) throw NotSigned(zone);
        return OperationException.Storing(() =>
            signing!.TryMakeRequest(zone, from, until, out KeySets? request, out KeyReply reply, replacesZsk)
                ? KeySetText.Format(request!) : throw Rejected(zone, reply));
    }

    public string LoadBundle(DomainName zone, string text, bool mayShorten)
    {
        if (StatusOf(zone) is null) throw NotSigned(zone);
        if (!KeySetText.TryRead(text, isBundle: true, out KeySets? bundle, out TextFault? fault))
            throw new OperationException(OperationError.Rejected, $"the bundle: {fault}");
        return OperationException.Storing(() => signing!.TryLoadBundle(zone, bundle, out KeyReply reply, mayShorten)
            ? KeyReplyText.Of(reply) : throw Rejected(zone, reply));
    }

    private string Change(DomainName zone, Func<ZoneKeys, DnssecPolicy, (ZoneKeys? Next, KeyReply Reply)> change)
    {
        if (StatusOf(zone) is null) throw NotSigned(zone);
        (ZoneKeys? Next, KeyReply Reply) result = (null, new KeyReply(KeyReplyKind.Done));
        KeyReply notReady = result.Reply;
        if (!OperationException.Storing(() => signing!.TryChangeKeys(
            zone, (keys, policy) => (result = change(keys, policy)).Next, out notReady)))
            throw new OperationException(OperationError.NotReady, $"zone {zone}: {KeyReplyText.Of(notReady)}");
        return result.Next is null ? throw Rejected(zone, result.Reply) : KeyReplyText.Of(result.Reply);
    }

    private SigningState? StatusOf(DomainName zone) => signing?.StatusOf(zone);

    private static OperationException Rejected(DomainName zone, KeyReply reply) =>
        new(OperationError.Rejected, $"zone {zone}: {KeyReplyText.Of(reply)}");

    private static OperationException NotSigned(DomainName zone) =>
        new(OperationError.NotFound,
            $"zone {zone} is not signed by this server: expected one with Dnssec in its entry of Dns:Zones");
}

namespace Dns.Import.Knot;

/// <summary>Translates the replication of a zone in Knot DNS: its remotes and its access lists.</summary>
internal sealed class KnotPeers(ImportedSettings settings)
{
    private readonly Dictionary<string, ConfigStatement> _remotes = new(StringComparer.Ordinal),
        _lists = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ConfigStatement> _groups = new(StringComparer.Ordinal);
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;
    private bool _isAutomatic;

    private readonly record struct Remote(ImportedAddress Server, string? Key, bool HasAutomaticAcl);

    /// <summary>Takes keys, remotes and access lists, wherever they stand.</summary>
    public void Collect(IEnumerable<ConfigStatement> sections)
    {
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "server") _isAutomatic = IsOn(section.Find("automatic-acl"));
            if (section.Find("id")?.Value is not { } id) continue;
            if (section.Key == "key")
                settings.AddKey(section, id, section.Find("algorithm")?.Value, section.Find("secret")?.Value);
            else if (section.Key == "remote") _remotes[id] = section;
            else if (section.Key == "remotes") _groups[id] = section;
            else if (section.Key == "acl") _lists[id] = section;
        }
    }

    /// <param name="find">Finds a statement in the zone or its template.</param>
    public ImportedReplication Translate(Func<string, ConfigStatement?> find, string subject)
    {
        List<Remote>? primaries = IsOff(find("master")) ? null : RemotesOf(find("master")!, subject);
        List<Remote>? notify = IsOff(find("notify")) ? null : RemotesOf(find("notify")!, subject);
        List<string> transfer = [], notifiers = [];
        List<ImportedUpdateRule> updates = [];
        // Of those that no list permits nothing is permitted: a list that denies changes only what follows it.
        List<string> ids = [.. find("acl")?.Words.Skip(1) ?? []];
        int permitting = ids.FindLastIndex(id => !IsOn(_lists.GetValueOrDefault(id)?.Find("deny"))) + 1;
        foreach (string id in ids[..permitting])
        {
            if (_lists.GetValueOrDefault(id) is not { } list)
                _diagnostics.Block(find("acl")!, subject, $"acl: there is no list {id}", ImportLimit.OfImporter);
            else if (!AddList(list, subject, transfer, notifiers, updates)) break;
        }
        notifiers.AddRange((primaries ?? []).Where(remote => remote.HasAutomaticAcl).SelectMany(RulesOf));
        transfer.AddRange((notify ?? []).Where(remote => remote.HasAutomaticAcl).SelectMany(RulesOf));
        string? role = find("catalog-role")?.Value;
        return new ImportedReplication
        {
            Primaries = primaries?.ConvertAll(TextOf),
            MinRefresh = primaries is null ? null : ImportedTimers.MinRefreshOf(
                settings, find("refresh-min-interval"), find("retry-min-interval"), subject, usual: "2"),
            Notify = notify?.ConvertAll(TextOf),
            AllowTransfer = transfer.Count > 0 ? transfer : null,
            // In Knot a client must be listed, also a primary.
            AllowNotify = primaries is null ? null : notifiers,
            AllowUpdate = primaries is null && updates.Count > 0 ? updates : null,
            Catalog = role switch { "interpret" => "consumer", "generate" => "producer", _ => null },
            MemberTemplate = role == "interpret" ? find("catalog-template")?.Value : null,
            MemberOf = role == "member" ? find("catalog-zone")?.Value : null,
            Group = role == "member" ? find("catalog-group")?.Value : null,
        };
    }

    /// <summary>Whether a list of the zone permits updates, also one that is not translated.</summary>
    public bool PermitsUpdates(Func<string, ConfigStatement?> find) =>
        (find("acl")?.Words.Skip(1) ?? [])
            .Any(id => _lists.GetValueOrDefault(id)?.Find("action")?.Words.Skip(1).Contains("update") == true);

    private List<Remote> RemotesOf(ConfigStatement list, string subject)
    {
        List<Remote> remotes = [];
        foreach (string id in list.Words
            .Skip(1).SelectMany(id => _groups.GetValueOrDefault(id)?.Find("remote")?.Words.Skip(1) ?? [id]))
        {
            if (_remotes.GetValueOrDefault(id) is not { } remote)
                _diagnostics.Block(list, subject, $"{list.Key}: there is no remote {id}", ImportLimit.OfImporter);
            else if (IsOn(remote.Find("quic")) || IsOn(remote.Find("tls")))
                _diagnostics.Block(remote, subject,
                    $"{list.Key}: {id} over TLS or QUIC: it is not queried without encryption");
            else if (remote.Find("key") is not { Value: { } name } key || settings.KeyRule(key, name, subject) is { })
                AddRemote(remotes, remote, list, subject);
        }
        return remotes;
    }

    private void AddRemote(List<Remote> remotes, ConfigStatement remote, ConfigStatement list, string subject)
    {
        string? key = remote.Find("key") is { Value: { } name } statement
            ? settings.KeyRule(statement, name, subject) : null;
        bool hasAutomaticAcl = remote.Find("automatic-acl") is { } own ? IsOn(own) : _isAutomatic;
        foreach (string address in remote.Find("address")?.Words.Skip(1) ?? [])
        {
            if (ImportedPeers.TryReadServer(address, ListenSetting.DefaultPort, out ImportedAddress server))
                remotes.Add(new Remote(server, key, hasAutomaticAcl));
            else
                _diagnostics.Block(remote, subject, $"{list.Key}: {address} is not the address of a server",
                    ImportLimit.OfImporter);
        }
    }

    /// <returns>False where what follows cannot be translated: it may be kept out by this list.</returns>
    private bool AddList(
        ConfigStatement list, string subject, List<string> transfer, List<string> notifiers,
        List<ImportedUpdateRule> updates)
    {
        string? limit = IsOn(list.Find("deny")) ? "deny"
            : list.Members.FirstOrDefault(member => member.Key is "protocol" or "cert-key" or "cert-hostname")?.Key;
        if (limit is not null)
        {
            _diagnostics.Block(list, subject,
                $"acl {list.Find("id")!.Value} has {limit}: it is not translated, nor what follows it",
                ImportLimit.OfServer);
            return false;
        }
        List<string> rules = [.. RulesOf(list, subject)];
        foreach (string action in list.Find("action")?.Words.Skip(1) ?? [])
        {
            if (action == "transfer") transfer.AddRange(rules);
            else if (action == "notify") notifiers.AddRange(rules);
            else if (action == "update") AddUpdates(list, subject, rules, updates);
        }
        return true;
    }

    private void AddUpdates(ConfigStatement list, string subject, List<string> rules, List<ImportedUpdateRule> updates)
    {
        string owner = list.Find("update-owner")?.Value ?? "none",
            match = list.Find("update-owner-match")?.Value ?? "sub-or-equal";
        string[]? names = null;
        if (owner == "name" && match is "sub-or-equal" or "sub" or "equal")
        {
            IEnumerable<string> owners = list.Find("update-owner-name")?.Words.Skip(1) ?? [];
            if (owners.Any(name => !name.EndsWith('.')))
            {
                _diagnostics.Block(list, subject, "update-owner-name: relative names are not translated",
                    ImportLimit.OfImporter);
                return;
            }
            names = [.. owners.SelectMany(name => match switch
            {
                "equal" => new[] { name },
                "sub" => ["*." + name.TrimStart('.')],
                _ => [name, "*." + name.TrimStart('.')],
            })];
        }
        else if (owner is not ("none" or "zone") || owner == "zone" && match != "sub-or-equal")
        {
            _diagnostics.Block(list, subject, $"update-owner {owner} {match} is not translated", ImportLimit.OfServer);
            return;
        }
        string[]? types = null;
        if (list.Find("update-type") is { } typed
            && !ImportedUpdateTypes.TryRead(_diagnostics, typed, subject, typed.Words.Skip(1), out types)) return;
        updates.AddRange(rules.Select(rule => new ImportedUpdateRule(rule, names, types)));
    }

    /// <summary>Clients of a list: those with one of its addresses and one of its keys; without either, all.</summary>
    private IEnumerable<string> RulesOf(ConfigStatement list, string subject)
    {
        foreach (string id in list.Find("remote")?.Words.Skip(1) ?? [])
            foreach (Remote remote in RemotesOf(
                new ConfigStatement(list.File, list.Line, ["remote", id], null), subject))
                foreach (string rule in RulesOf(remote)) yield return rule;
        if (list.Find("remote") is not null) yield break;
        List<string> networks = [];
        foreach (string address in list.Find("address")?.Words.Skip(1) ?? [])
        {
            if (ImportedClients.TryReadNsd(address, out List<IPNetwork> read))
                networks.AddRange(read.Select(ImportedClients.Format));
            else _diagnostics.Block(list, subject, $"acl: {address} is not a network", ImportLimit.OfImporter);
        }
        if (list.Find("address") is null) networks.AddRange(ImportedClients.AllNetworks);
        List<string?> keys = list.Find("key") is not { } named ? [null]
            : [.. named.Words.Skip(1).Select(key => settings.KeyRule(named, key, subject))
                .Where(rule => rule is not null)];
        foreach (string? key in keys)
            foreach (string rule in ImportedPeers.Rules(networks, key)) yield return rule;
    }

    private static IEnumerable<string> RulesOf(Remote remote) =>
        ImportedPeers.Rules([remote.Server.Address.ToString()], remote.Key);

    private static string TextOf(Remote remote) => ImportedPeers.Server(remote.Server, remote.Key);

    private static bool IsOn(ConfigStatement? statement) => statement?.Value is "on";

    private static bool IsOff(ConfigStatement? list) =>
        list is null || list.Words.Count < 2 || list.Value is "none" or "";
}

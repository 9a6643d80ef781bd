namespace Dns.Import.Nsd;

/// <summary>Translates the replication of a zone in NSD.</summary>
internal sealed class NsdPeers(ImportedSettings settings)
{
    private const string NoKey = "NOKEY", Blocked = "BLOCKED";
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;

    /// <param name="members">Its statements, those of its patterns included.</param>
    public ImportedReplication Translate(List<ConfigStatement> members, string subject)
    {
        List<ConfigStatement> Of(string key) => members.FindAll(member => member.Key == key);
        ConfigStatement? First(string key) => members.Find(member => member.Key == key);
        string? Text(string key) => First(key)?.Value;
        bool isSecondary = Of("request-xfr").Count > 0;
        List<ConfigStatement> notify = Of("notify"), provide = Of("provide-xfr");
        string? catalog = Text("catalog");
        return new ImportedReplication
        {
            Primaries = isSecondary ? ServersOf(Of("request-xfr"), subject) : null,
            MinRefresh = !isSecondary ? null : ImportedTimers.MinRefreshOf(
                settings, First("min-refresh-time"), First("min-retry-time"), subject, usual: "0"),
            Notify = notify.Count > 0 ? ServersOf(notify, subject) : null,
            AllowTransfer = provide.Count > 0 ? RulesOf(provide, subject) : null,
            // In NSD a client must be listed, also a primary.
            AllowNotify = isSecondary ? RulesOf(Of("allow-notify"), subject) : null,
            Catalog = catalog is "consumer" or "producer" ? catalog : null,
            MemberTemplate = catalog is "consumer" ? Text("catalog-member-pattern") : null,
            MemberOf = Text("catalog-producer-zone"),
        };
    }

    private List<string> ServersOf(List<ConfigStatement> lines, string subject)
    {
        List<string> servers = [];
        foreach (ConfigStatement line in lines)
        {
            if (line.Words.Contains("AXFR"))
                _diagnostics.Change(line, subject, $"{line.Key} AXFR: {BindStatements.RequestedIxfr}");
            List<string> words = [.. line.Words.Skip(1).Where(word => word is not ("AXFR" or "UDP"))];
            if (words.Count > 2)
                _diagnostics.Block(line, subject,
                    $"{line.Key}: {words[0]} over TLS: it is not queried without encryption");
            else if (words.Count < 2 ||
                !ImportedPeers.TryReadServer(words[0], ListenSetting.DefaultPort, out ImportedAddress server))
                _diagnostics.Block(line, subject, $"{line.Key}: not the address of a server and its key",
                    ImportLimit.OfImporter);
            else if (words[1] == NoKey)
                servers.Add(ImportedPeers.Server(server, null));
            else if (settings.KeyRule(line, words[1], subject) is { } key)
                servers.Add(ImportedPeers.Server(server, key));
        }
        return servers;
    }

    /// <summary>Those that are blocked are so whatever else is said.</summary>
    private List<string> RulesOf(List<ConfigStatement> lines, string subject)
    {
        List<(ConfigStatement Line, List<string> Networks, string? Key)> allowed = [];
        List<string> blocked = [];
        foreach (ConfigStatement line in lines)
        {
            string word = line.Words.ElementAtOrDefault(2) ?? "";
            if (line.Words.Count > 3)
                _diagnostics.Block(line, subject,
                    $"{line.Key}: {line.Value} over TLS only: it is not allowed without encryption");
            else if (!ImportedClients.TryReadNsd(line.Value ?? "", out List<IPNetwork> networks))
            {
                _diagnostics.Block(line, subject, $"{line.Key}: not a network", ImportLimit.OfImporter);
                // Whom it blocks is not known.
                if (word == Blocked) blocked.AddRange(ImportedClients.AllNetworks);
            }
            else if (word == Blocked)
                blocked.AddRange(networks.Select(ImportedClients.Format));
            else if (word == NoKey || settings.KeyRule(line, word, subject) is not null)
                allowed.Add((line, [.. networks.Select(ImportedClients.Format)],
                    word == NoKey ? null : settings.KeyRule(line, word, subject)));
        }
        return [.. allowed
            .SelectMany(rule => ImportedPeers.Rules(
                ImportedClients.Except(rule.Networks, blocked, _diagnostics, rule.Line)!, rule.Key))];
    }
}

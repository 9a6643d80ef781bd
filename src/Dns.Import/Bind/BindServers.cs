using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Bind;

/// <summary>BIND's statements <c>server</c>: what holds for messages to an address, above all their key.</summary>
internal sealed class BindServers(ImportDiagnostics diagnostics)
{
    private static readonly ImportTable Options = new(
        (Changes, OfServer, "all upstreams are queried alike", "bogus edns max-udp-size tcp-only"),
        (Changes, OfServer, BindStatements.ChosenQuerySource, "query-source query-source-v6"),
        (Changes, OfServer, BindStatements.ChosenTransferSource,
            "transfer-source transfer-source-v6 notify-source notify-source-v6"),
        (Changes, OfServer, BindStatements.RequestedIxfr, "request-ixfr"),
        (Changes, OfServer, BindStatements.RequestedExpire, "request-expire"),
        (Changes, OfServer, BindStatements.ProvidedIxfr, "provide-ixfr"),
        (Changes, OfServer, BindStatements.OneFormat, "transfer-format"),
        (Cosmetic, OfServer, "all upstreams are queried alike",
            "edns-udp-size edns-version padding request-nsid require-cookie send-cookie tcp-keepalive"),
        (Cosmetic, OfServer, BindStatements.OwnTransferLimits,
            "request-ixfr-max-diffs support-ixfr transfers"),
        (Cosmetic, None, "", "keys"));

    /// <summary>Options that say what holds without them.</summary>
    private static readonly HashSet<string> Defaults =
        ["bogus no", "edns yes", "provide-ixfr yes", "request-expire yes", "request-ixfr yes", "request-nsid no",
            "require-cookie no", "tcp-keepalive no", "tcp-only no", "transfer-format many-answers"];

    // The most specific first.
    private List<(IPNetwork Network, ConfigStatement Statement)> _servers = [];

    /// <summary>Goes to a scope: a view with such statements has none of those outside.</summary>
    public void Enter(IEnumerable<ConfigStatement> outside, ConfigStatement? view)
    {
        List<ConfigStatement> own = [.. Of(view?.Members ?? [])];
        _servers = [];
        foreach (ConfigStatement statement in own.Count > 0 ? own : Of(outside))
            if (BindAddressLists.TryReadNetwork(statement.Value ?? "", out IPNetwork network))
                _servers.Add((network, statement));
        _servers = [.. _servers.OrderByDescending(server => server.Network.PrefixLength)];
    }

    /// <summary>The statement with the key of messages to an address; null = they have none.</summary>
    public ConfigStatement? KeyOf(IPAddress address)
    {
        // The first one counts, also if it has no key.
        ConfigStatement? keys =
            _servers.FirstOrDefault(server => server.Network.Contains(address)).Statement?.Find("keys");
        return keys?.Block is [var key, ..] ? keys with { Words = ["keys", key.Key] } : keys;
    }

    /// <summary>Reports what is not translated of a statement.</summary>
    public void Report(ConfigStatement statement)
    {
        string subject = $"server {statement.Value}";
        if (!BindAddressLists.TryReadNetwork(statement.Value ?? "", out _))
            diagnostics.Block(statement, subject, "not an address or network", OfImporter);
        foreach (ConfigStatement option in statement.Members)
            if (!Defaults.Contains($"{option.Key} {BindStatements.FlagOf(option)}"))
                Options.Report(diagnostics, option, subject);
    }

    private static IEnumerable<ConfigStatement> Of(IEnumerable<ConfigStatement> statements) =>
        statements.Where(statement => statement.Key == "server");
}

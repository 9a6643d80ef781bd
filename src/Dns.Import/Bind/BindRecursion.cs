namespace Dns.Import.Bind;

/// <summary>The recursion clients, from options of BIND. One list is the default of another.</summary>
/// <param name="blackhole">Networks that are not answered at all.</param>
internal sealed class BindRecursion(ImportedSettings settings, BindAddressLists lists,
    IReadOnlyCollection<string> blackhole)
{
    public static bool IsNo(ConfigStatement? flag) => flag is not null && BindStatements.FlagOf(flag) is "no";

    /// <param name="statement">Where to report what is missing.</param>
    /// <param name="hint">The servers of the root, when they are configured: names are resolved then.</param>
    public void Translate(Func<string, ConfigStatement?> find, ConfigStatement? statement, ConfigStatement? hint)
    {
        ConfigStatement? recursion = find("recursion"), recursive = find("allow-recursion"),
            cached = find("allow-query-cache");
        ConfigStatement? clientList = recursive ?? cached ?? find("allow-query");
        if (IsNo(recursion))
        {
            settings.AllowFrom = [];
            return;
        }
        if (recursion is not null && BindStatements.FlagOf(recursion) is not "yes")
        {
            settings.AllowFrom = [];
            settings.Diagnostics.Block(recursion, "",
                "recursion: neither yes nor no: forwarding is allowed for no client", ImportLimit.OfImporter);
            return;
        }
        if (!settings.IsForwardingAll) ReportResolver(recursion ?? recursive ?? cached ?? hint, statement);
        ConfigStatement? limit = new[] { find("allow-recursion-on"), find("allow-query-cache-on") }
            .FirstOrDefault(on => !BindAddressLists.IsAny(on));
        if (limit is not null)
        {
            settings.AllowFrom = [];
            settings.Diagnostics.Block(limit, "", $"{limit.Key}: forwarding is allowed for no client",
                ImportLimit.OfImporter);
        }
        else if (clientList is not null)
        {
            List<string>? clients = lists.NetworksOf(clientList);
            if (recursive is not null && cached is not null)
                clients = ImportedClients.Both(clients, lists.NetworksOf(cached));
            settings.AllowFrom = ImportedClients.Except(clients, blackhole, settings.Diagnostics, clientList);
        }
        else if (settings.FirstForward is { } forward)
        {
            settings.AllowFrom = ImportedClients.Except(lists.MachineOf(forward), blackhole,
                settings.Diagnostics, forward);
            settings.Diagnostics.Change(forward, "",
                "no allow-recursion: forwarding is allowed for this machine, not for its networks",
                ImportLimit.OfImporter);
        }
    }

    /// <summary>Other names are resolved from the root in BIND: by default, or as configured.</summary>
    private void ReportResolver(ConfigStatement? said, ConfigStatement? statement)
    {
        if (said is not null)
            settings.Diagnostics.Block(
                said, "",
                "recursion without forwarders: names are forwarded, never resolved from the root; set Dns:Forward " +
                    "for \".\"");
        else if (statement is not null)
            settings.Diagnostics.Change(statement, "",
                "recursion, on by default in BIND: names of other zones are REFUSED");
    }
}

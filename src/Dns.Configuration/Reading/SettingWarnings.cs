namespace Dns.Configuration.Reading;

/// <summary>Finds what of good settings may not be meant, as far as it concerns keys and other servers.</summary>
public sealed class SettingWarnings(SettingsBinder binder)
{
    private const string Notify = "Notify", AllowUpdate = "AllowUpdate", AllowTransfer = "AllowTransfer";

    /// <summary>Adds them to the binder, in the order of the settings.</summary>
    /// <param name="dns">The section.</param>
    public void Find(SettingNode dns)
    {
        FindInKeys(dns);
        FindInPolicies(dns);
        FindInLists(dns, "Dns", binder.Options.Notify, binder.Options.AllowUpdate, binder.Options.AllowTransfer);
        foreach (ZoneSettings values in binder.Templates.Values.Concat(binder.Zones))
            FindInLists(values.Node, values.Path, values.Notify, values.AllowUpdate, values.AllowTransfer);
        foreach (ZoneSettings zone in binder.Zones)
        {
            if (zone.Name is { } name && zone.Node.Find("Name") is { } node
                && UnusualZoneName.Find(name) is { } message)
                Add(node, false, $"{zone.Path}:Name: {message}");
            FindInCompact(zone);
        }
    }

    /// <summary>A copy of a zone whose answers are signed online would have no signatures (RFC 9824).</summary>
    private void FindInCompact(ZoneSettings zone)
    {
        if (zone.Dnssec is not { } name) return;
        if (binder.Options.FindDnssecPolicy(name)?.Denial != DenialMethod.Compact) return;
        if (zone.AllowTransfer is { Count: > 0 })
            AddCompact(zone, AllowTransfer, "every transfer is refused");
        if (zone.Notify is { Count: > 0 })
            AddCompact(zone, Notify, "secondaries are notified, and get no transfer");
    }

    private void AddCompact(ZoneSettings zone, string setting, string effect) =>
        Add(zone.Node.Find(setting) ?? zone.Node, false,
            $"{zone.Path}:{setting}: {effect}: policy {zone.Dnssec} signs each answer, "
                + "and a copy would have no signatures");

    private void FindInKeys(SettingNode dns)
    {
        if (dns.Find("TsigKeys") is not { } list) return;
        HashSet<DomainName> used = [.. binder.References.UsedKeys];
        foreach (var (node, key) in list.Children.Zip(binder.Options.TsigKeys))
        {
            if (key.IsShort)
                Add(node, false,
                    $"the secret of key {key} is shorter than half of the {key.Algorithm.MacOctets()} octets that "
                    + $"{key.Algorithm.Text()} makes of it: it can be guessed sooner");
            if (key.Algorithm.IsWeak())
                Add(node, false,
                    $"key {key} uses {key.Algorithm.Text()}, which is only for peers that have nothing else: "
                    + "expected hmac-sha256 or longer");
            if (node.Find("SecretFile") is { Value: { } file } at && IsReadableByAll(binder.Resolve(file)))
                Add(at, false, $"the secret of key {key} can be read by every user of this machine: "
                    + "expected a file that only the server reads");
            if (!used.Contains(key.Name)) Add(node, true, $"key {key} is used by no setting");
        }
    }

    private void FindInPolicies(SettingNode dns)
    {
        foreach (SettingNode entry in dns.Find("DnssecPolicies")?.Children ?? [])
        {
            if (binder.Options.FindDnssecPolicy(entry.Name) is not { } policy) continue;
            foreach (var (setting, message) in policy.FindWarnings())
                Add(entry.Find(setting) ?? entry, true, $"Dns:DnssecPolicies:{entry.Name}:{setting}: {message}");
        }
    }

    private static bool IsReadableByAll(string path) =>
        !OperatingSystem.IsWindows() && File.Exists(path) && (File.GetUnixFileMode(path) & UnixFileMode.OtherRead) != 0;

    /// <summary>What a zone has from its template is found in the template.</summary>
    private void FindInLists(
        SettingNode node, string path, IReadOnlyList<PeerAddress>? notify, IReadOnlyList<UpdateRule>? updates,
        IReadOnlyList<PeerRule>? transfers)
    {
        if (transfers is not null && node.Find(AllowTransfer) is { } readers)
            foreach (var (element, rule) in readers.Children.Zip(transfers))
                if (rule is { Key: null, Networks: { } networks } && networks.Any(network => network.PrefixLength == 0))
                    Add(element, true,
                        $"{path}:{AllowTransfer}:{element.Name}: all clients may transfer the zone");
        if (notify is not null && node.Find(Notify) is { } peers)
            foreach (var (element, peer) in peers.Children.Zip(notify))
                if (binder.FindOwnListener(peer.EndPoint) is { } own)
                    Add(element, false,
                        $"{path}:{Notify}:{element.Name}: {peer.EndPoint} is where this server itself listens ({own})");
        if (updates is null || node.Find(AllowUpdate) is not { } rules) return;
        foreach (var (element, rule) in rules.Children.Zip(updates))
            if (rule.From.Key is null && rule.From.Networks is not [])
                Add(element, false, $"{path}:{AllowUpdate}:{element.Name}: {rule.From} may update without a key: "
                    + "the address of a datagram is easily forged");
    }

    private void Add(SettingNode node, bool isNote, string message) => binder.Warn(node, isNote, message);
}

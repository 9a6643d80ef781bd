using System.Text.Json;

namespace Dns.Import.Shared;

/// <content>Keys, templates, and the replication of zones.</content>
internal sealed partial class ImportedSettings
{
    private readonly SortedDictionary<string, (string Algorithm, string Secret, ConfigStatement Statement)> _keys =
        new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedDictionary<string, (ImportedReplication Replication, ConfigStatement Statement)> _templates =
        new(StringComparer.OrdinalIgnoreCase);

    private readonly SortedDictionary<string, ImportedPolicy> _policies = new(StringComparer.OrdinalIgnoreCase);

    public void AddKey(ConfigStatement statement, string? name, string? algorithm, string? secret)
    {
        byte[] octets = new byte[TsigKey.MaxSecretOctets];
        string subject = $"key {name}";
        if (name is null || !ZonesSetting.TryParseName(name, out DomainName? key))
            Diagnostics.Block(statement, subject, "not the name of a key", ImportLimit.OfImporter);
        else if (!TsigAlgorithms.TryParse(algorithm ?? "", out TsigAlgorithm known))
            Diagnostics.Block(statement, subject, $"{algorithm}: not an algorithm of TSIG here");
        else if (secret is null || !Convert.TryFromBase64String(secret, octets, out int length) || length == 0)
            Diagnostics.Block(statement, subject, "its secret is not in base 64", ImportLimit.OfImporter);
        else if (_keys.TryAdd(key.ToString(), (known.Text(), secret, statement)))
            Diagnostics.Remark(statement, subject,
                "its secret is in the settings: make them readable only for the user of the server");
    }

    /// <summary>The rule of a key, <c>key:NAME.</c>; null and a diagnostic if there is no such key.</summary>
    public string? KeyRule(ConfigStatement statement, string name, string subject)
    {
        if (ZonesSetting.TryParseName(name, out DomainName? key) && _keys.ContainsKey(key.ToString()))
            return $"key:{key}";
        Diagnostics.Block(statement, subject,
            $"there is no key {name}, its uses are left out", ImportLimit.OfImporter);
        return null;
    }

    /// <summary>Adds a policy of DNSSEC; of the same name the first.</summary>
    public void AddPolicy(ImportedPolicy policy) => _policies.TryAdd(policy.Name, policy);

    /// <summary>Adds a template; of the same name the first.</summary>
    public void AddTemplate(ConfigStatement statement, string name, ImportedReplication replication) =>
        _templates.TryAdd(name, (replication, statement));

    private void WriteKeys(Utf8JsonWriter json)
    {
        if (_keys.Count == 0) return;
        json.WriteStartArray("TsigKeys");
        foreach (var (name, key) in _keys)
        {
            _locations!.Mark(key.Statement);
            json.WriteStartObject();
            json.WriteString("Name", name);
            json.WriteString("Algorithm", key.Algorithm);
            json.WriteString("Secret", key.Secret);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private void WritePolicies(Utf8JsonWriter json)
    {
        if (_policies.Count == 0) return;
        json.WriteStartObject("DnssecPolicies");
        foreach (var (name, policy) in _policies)
        {
            _locations!.Mark(policy.Statement);
            json.WriteStartObject(name);
            foreach (var (setting, value) in policy.Values) WriteValue(json, setting, value);
            json.WriteEndObject();
        }
        json.WriteEndObject();
    }

    private void WriteTemplates(Utf8JsonWriter json)
    {
        if (_templates.Count == 0) return;
        json.WriteStartObject("Templates");
        foreach (var (name, (replication, statement)) in _templates)
        {
            _locations!.Mark(statement);
            json.WriteStartObject(name);
            WriteReplication(json, replication);
            if (replication.Clients is not null) WriteList(json, "AllowQuery", replication.Clients.Distinct());
            json.WriteEndObject();
        }
        json.WriteEndObject();
    }

    private static void WriteReplication(Utf8JsonWriter json, ImportedReplication replication)
    {
        if (replication.Primaries is not null)
        {
            json.WriteString("Type", "secondary");
            WriteList(json, "Primaries", replication.Primaries.Distinct());
        }
        foreach (var (name, text) in new[] { ("Dnssec", replication.Dnssec), ("Catalog", replication.Catalog),
            ("MemberTemplate", replication.MemberTemplate), ("MemberOf", replication.MemberOf),
            ("Group", replication.Group), ("MinRefresh", replication.MinRefresh) })
            if (text is not null) json.WriteString(name, text);
        foreach (var (name, list) in new[] { ("AllowTransfer", replication.AllowTransfer),
            ("AllowNotify", replication.AllowNotify), ("Notify", replication.Notify) })
            if (list is not null) WriteList(json, name, list.Distinct());
        if (replication.AllowUpdate is not null) WriteUpdates(json, replication.AllowUpdate);
    }

    private static void WriteUpdates(Utf8JsonWriter json, List<ImportedUpdateRule> rules)
    {
        json.WriteStartArray("AllowUpdate");
        foreach (ImportedUpdateRule rule in rules)
        {
            if (rule is { Names: null, Types: null })
            {
                json.WriteStringValue(rule.From);
                continue;
            }
            json.WriteStartObject();
            json.WriteString("From", rule.From);
            if (rule.Names is not null) WriteList(json, "Names", rule.Names);
            if (rule.Types is not null) WriteList(json, "Types", rule.Types);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }
}

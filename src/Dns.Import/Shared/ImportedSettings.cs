using System.Text.Json;

namespace Dns.Import.Shared;

/// <summary>The settings that come out of another server's configuration.</summary>
internal sealed partial class ImportedSettings(ImportDiagnostics diagnostics)
{
    private readonly List<ImportedZone> _zones = [];
    private readonly List<(DomainName Zone, string Text, ConfigStatement Statement)> _forward = [];
    private readonly Dictionary<DomainName, List<string>> _upstreams = [];
    private readonly Dictionary<DomainName, ConfigStatement> _names = [];
    private readonly List<(ImportedAddress Address, ConfigStatement Statement)> _listen = [];
    private readonly Dictionary<string, ConfigStatement> _statements = [];

    public ImportDiagnostics Diagnostics { get; } = diagnostics;

    /// <summary>The addresses of the machine, with port 0.</summary>
    public IReadOnlyList<ImportedAddress> Machine { get; init; } = [];

    /// <summary>Whether there are addresses to listen on; else it is the default.</summary>
    public bool IsListening => _listen.Count > 0;

    /// <summary>Networks that may query forwarded names; null = not set.</summary>
    public List<string>? AllowFrom { get; set; }

    /// <summary>The folder of relative names in <c>$INCLUDE</c>; null = that of the zone file, as here.</summary>
    public string? IncludeFolder { get; set; }

    /// <summary>The position of the first forwarded zone; null = none.</summary>
    public ConfigStatement? FirstForward { get; private set; }

    public bool IsForwardingAll => IsForwarded(DomainName.Root);

    /// <summary>Settings by path below <c>Dns</c> (<c>Tcp:MaxConnections</c>): text, number, flag or list.</summary>
    public SortedDictionary<string, object> Values { get; } = new(StringComparer.Ordinal);

    public IReadOnlyList<ImportedZone> Zones => _zones;

    /// <summary>Zone files to be written: their path, relative to the settings, and their text.</summary>
    public SortedDictionary<string, string> Files { get; } = new(StringComparer.Ordinal);

    /// <summary>Adds a zone, unless it has one already, which is a diagnostic.</summary>
    /// <param name="file">Its file; null = it has none, which is a diagnostic for a primary.</param>
    /// <param name="clients">The networks that may query it; null = all.</param>
    /// <param name="replication">Its replication; null = not configured.</param>
    public void AddZone(
        ConfigStatement statement, string name, string? file, List<string>? clients = null,
        ImportedReplication? replication = null)
    {
        replication ??= new ImportedReplication();
        bool needsFile = replication is { Primaries: null, Catalog: not "producer" };
        string subject = $"zone {name}";
        if (!ZonesSetting.TryParseName(name, out DomainName? zone))
            Diagnostics.Block(statement, subject, "not a domain name",
            ImportLimit.OfImporter);
        else if (needsFile && string.IsNullOrEmpty(file)) Diagnostics.Block(statement, subject, "it has no file");
        else if (replication.Primaries is { Count: 0 }) Diagnostics.Block(statement, subject, "it has no primaries");
        else if (IsForwarded(zone))
            Diagnostics.Block(statement, subject, "it is forwarded at "
                + $"{_forward.Find(forward => forward.Zone.Equals(zone)).Statement.Location}: {ServedOrForwarded}");
        else if (!_names.TryAdd(zone, statement))
            Diagnostics.Block(statement, subject,
                "a zone has one content for all clients: the first one of several, such as in views, is taken");
        else _zones.Add(new ImportedZone(
            statement, zone, name.Length > 1 ? name.TrimEnd('.') : name, needsFile ? file : null, clients,
            replication));
    }

    public void AddForward(ConfigStatement statement, string name, List<string> upstreams)
    {
        if (upstreams.Count == 0) return;
        if (!ZonesSetting.TryParseName(name, out DomainName? zone)) Diagnostics.Block(statement, $"zone {name}",
            "not a domain name", ImportLimit.OfImporter);
        else if (_names.TryGetValue(zone, out ConfigStatement? served))
            Diagnostics.Block(statement, $"zone {name}", $"it is served at {served.Location}: {ServedOrForwarded}");
        else if (!_upstreams.TryAdd(zone, upstreams))
            Diagnostics.Block(statement, $"zone {name}", "it is forwarded already: the first one of several is taken");
        else _forward.Add((zone, name.Length > 1 ? name.TrimEnd('.') : name, statement));
        FirstForward ??= statement;
    }

    private const string ServedOrForwarded =
        "a name is served or forwarded, for all clients alike: the first of the two is taken";

    /// <summary>Whether a name is that of a forwarded or served zone.</summary>
    public bool IsKnown(DomainName name) => IsForwarded(name) || _names.ContainsKey(name);

    /// <summary>Whether a name is that of a forwarded zone.</summary>
    public bool IsForwarded(DomainName name) => _upstreams.ContainsKey(name);

    /// <summary>The upstreams of a name; null = it is not forwarded.</summary>
    public List<string>? UpstreamsOf(DomainName name)
    {
        for (ReadOnlySpan<byte> left = name.Octets; ; left = left[(left[0] + 1)..])
        {
            if (_upstreams.TryGetValue(DomainName.FromOctets(left), out List<string>? found)) return found;
            if (left[0] == 0) return null;
        }
    }

    /// <summary>Takes out forwarded zones.</summary>
    /// <param name="isTaken">Whether one is, by its name as it is written.</param>
    public IReadOnlyList<(string Zone, ConfigStatement Statement)> TakeForwards(Func<string, bool> isTaken)
    {
        var taken = _forward.FindAll(forward => isTaken(forward.Text));
        _forward.RemoveAll(forward => isTaken(forward.Text));
        foreach (var (zone, _, _) in taken) _upstreams.Remove(zone);
        return [.. taken.Select(forward => (forward.Text, forward.Statement))];
    }

    public void AddListen(ConfigStatement statement, string address, int port)
    {
        if (ImportedAddress.TryParse(address, port, out ImportedAddress parsed)) AddListen(statement, parsed);
        else Diagnostics.Block(statement, address, "not an address to listen on", ImportLimit.OfImporter);
    }

    /// <summary>Adds an address to listen on. A wildcard address has all others of its family and port.</summary>
    public void AddListen(ConfigStatement statement, ImportedAddress address)
    {
        if (_listen.Exists(other => Has(other.Address, address))) return;
        _listen.RemoveAll(other => Has(address, other.Address));
        _listen.Add((address, statement));
    }

    private static bool Has(ImportedAddress one, ImportedAddress other) => one == other || one.IsWildcard
        && one.Port == other.Port && one.Address.AddressFamily == other.Address.AddressFamily;

    /// <summary>Sets a single setting.</summary>
    /// <param name="path">Its path below <c>Dns</c>.</param>
    public void Set(ConfigStatement statement, string path, object value) =>
        (Values[path], _statements[path]) = (value, statement);

    /// <summary>Sets a single setting, unless it is set already.</summary>
    public bool TrySet(ConfigStatement statement, string path, object value)
    {
        bool isNew = !Values.ContainsKey(path);
        if (isNew) Set(statement, path, value);
        return isNew;
    }

    /// <param name="source">What they were made of: a comment at its head; null = none.</param>
    public string ToJson(string? source = null)
    {
        if (_forward.Count > 0 && AllowFrom is not null)
            Set(FirstForward!, "Recursion:AllowFrom", AllowFrom.Distinct().ToArray());
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream, new JsonWriterOptions
        {
            Indented = true,
            Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        }))
        {
            _locations = new ImportedLocations(json, stream);
            json.WriteStartObject();
            json.WriteStartObject("Dns");
            if (IsListening)
            {
                json.WriteStartArray("Listen");
                foreach (var (address, statement) in _listen)
                {
                    _locations.Mark(statement);
                    json.WriteStringValue(address.ToString());
                }
                json.WriteEndArray();
            }
            WriteValues(json);
            WriteKeys(json);
            WritePolicies(json);
            WriteTemplates(json);
            json.WriteStartArray("Zones");
            foreach (ImportedZone zone in _zones) WriteZone(json, zone);
            json.WriteEndArray();
            WriteForward(json);
            json.WriteEndObject();
            json.WriteEndObject();
        }
        return Comments(source) + Encoding.UTF8.GetString(stream.ToArray()) + Environment.NewLine;
    }

    private ImportedLocations? _locations;

    /// <summary>The statement that a line of the settings was made of when they were written; null = none.</summary>
    /// <param name="line">Line from 1, without comments.</param>
    public ConfigStatement? StatementAt(int line) => _locations?.StatementAt(line);

    /// <summary>What was not translated, as comments, which stay until the operator has dealt with it.</summary>
    private string Comments(string? source)
    {
        if (source is null) return "";
        StringBuilder comments = new();
        comments.Append("// ").Append(ImportReport.Printable(source)).Append(Environment.NewLine);
        foreach (string line in ImportReport.Lines(Diagnostics))
            comments.Append("// ").Append(line).Append(Environment.NewLine);
        return comments.ToString();
    }

    private void WriteValues(Utf8JsonWriter json)
    {
        foreach (var (path, value) in Values.Where(pair => !pair.Key.Contains(':')))
            WriteValue(json, path, path, value);
        foreach (var section in Values.Where(pair => pair.Key.Contains(':')).GroupBy(pair => pair.Key.Split(':')[0]))
        {
            json.WriteStartObject(section.Key);
            foreach (var (path, value) in section) WriteValue(json, path, path.Split(':')[1], value);
            json.WriteEndObject();
        }
    }

    private void WriteValue(Utf8JsonWriter json, string path, string name, object value)
    {
        if (_statements.TryGetValue(path, out ConfigStatement? statement)) _locations!.Mark(statement);
        WriteValue(json, name, value);
    }

    private void WriteForward(Utf8JsonWriter json)
    {
        if (_forward.Count == 0) return;
        json.WriteStartArray("Forward");
        foreach (var (zone, text, statement) in _forward)
        {
            _locations!.Mark(statement);
            json.WriteStartObject();
            json.WriteString("Zone", text);
            WriteList(json, "Upstreams", _upstreams[zone]);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private static void WriteValue(Utf8JsonWriter json, string name, object value)
    {
        if (value is int number) json.WriteNumber(name, number);
        else if (value is string[] list) WriteList(json, name, list);
        else if (value is bool flag) json.WriteBoolean(name, flag);
        else json.WriteString(name, (string)value);
    }

    private static void WriteList(Utf8JsonWriter json, string name, IEnumerable<string> elements)
    {
        json.WriteStartArray(name);
        foreach (string element in elements) json.WriteStringValue(element);
        json.WriteEndArray();
    }

    private void WriteZone(Utf8JsonWriter json, ImportedZone zone)
    {
        _locations!.Mark(zone.Statement);
        json.WriteStartObject();
        json.WriteString("Name", zone.Text);
        if (zone.File is not null) json.WriteString("File", zone.File);
        WriteReplication(json, zone.Replication);
        if (zone.Clients is not null) WriteList(json, "AllowQuery", zone.Clients.Distinct());
        json.WriteEndObject();
    }
}

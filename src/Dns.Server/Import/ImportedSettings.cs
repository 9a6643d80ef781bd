using System.Net;
using System.Text;
using System.Text.Json;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>The settings that come out of another server's configuration.</summary>
internal sealed class ImportedSettings(ImportNotes notes)
{
    private readonly List<(string Name, string File, List<string>? Clients)> _zones = [];
    private readonly List<(string Zone, List<string> Upstreams)> _forward = [];
    private readonly HashSet<DomainName> _names = [], _forwardNames = [];

    /// <summary>What could not be translated.</summary>
    public ImportNotes Notes { get; } = notes;

    /// <summary>Addresses to listen on; none = the default.</summary>
    public List<IPEndPoint> Listen { get; } = [];

    /// <summary>Networks that may ask for what is forwarded; null = not said.</summary>
    public List<string>? AllowFrom { get; set; }

    /// <summary>Whether others are asked for some zone.</summary>
    public bool IsForwarding => _forward.Count > 0;

    /// <summary>Single settings: a path below <c>Dns</c> such as <c>Tcp:MaxConnections</c>, and text, a number, a flag or a list.</summary>
    public SortedDictionary<string, object> Values { get; } = new(StringComparer.Ordinal);

    /// <summary>How many zones there are.</summary>
    public int ZoneCount => _zones.Count;

    /// <summary>Adds a zone, unless it has one already, which is a note.</summary>
    /// <param name="place">Where it is configured.</param>
    /// <param name="name">Its name.</param>
    /// <param name="file">Its file; null = it has none, which is a note.</param>
    /// <param name="clients">The networks that may ask for it; null = everybody.</param>
    public void AddZone(ConfigStatement place, string name, string? file, List<string>? clients = null)
    {
        if (!ZonesSetting.TryParseName(name, out DomainName? zone)) Notes.Add(place, $"zone {name}: not a domain name");
        else if (string.IsNullOrEmpty(file)) Notes.Add(place, $"zone {name}: has no file");
        else if (!_names.Add(zone)) Notes.Add(place, $"zone {name}: is there already, as in another view; the first one is taken");
        else _zones.Add((name.Length > 1 ? name.TrimEnd('.') : name, file, clients));
    }

    /// <summary>Adds a zone that others are asked for.</summary>
    public void AddForward(ConfigStatement place, string name, List<string> upstreams)
    {
        if (upstreams.Count == 0) return;
        if (!ZonesSetting.TryParseName(name, out DomainName? zone)) Notes.Add(place, $"zone {name}: not a domain name");
        else if (!_forwardNames.Add(zone)) Notes.Add(place, $"zone {name}: is forwarded already; the first one is taken");
        else _forward.Add((name.Length > 1 ? name.TrimEnd('.') : name, upstreams));
    }

    /// <summary>Adds an address to listen on; one that is there already is not added again.</summary>
    public void AddListen(ConfigStatement place, string address, int port)
    {
        if (!IPAddress.TryParse(address, out IPAddress? parsed)) Notes.Add(place, $"{address} is not an address to listen on");
        else if (new IPEndPoint(parsed, port) is var endPoint && !Listen.Contains(endPoint)) Listen.Add(endPoint);
    }

    /// <summary>Takes a number over when it is one within the bounds of our setting.</summary>
    public void SetNumber(ConfigStatement place, string path, int least, int most)
    {
        if (int.TryParse(place.Value, out int value) && value >= least && value <= most) Values[path] = value;
        else Notes.Add(place, $"{place.Key} {place.Value}: Dns:{path} takes {least} to {most}");
    }

    /// <summary>Takes a number over; of several the smallest.</summary>
    public void SetSmallest(ConfigStatement place, string path, int least, int most)
    {
        object? before = Values.GetValueOrDefault(path);
        SetNumber(place, path, least, most);
        if (before is int smaller && smaller < (int)Values[path]) Values[path] = smaller;
    }

    /// <summary>Takes a text over. There is one place for it here: of two texts the later one counts.</summary>
    public void SetText(ConfigStatement place, string path, string? text)
    {
        if (text is not { Length: > 0 } || Encoding.UTF8.GetByteCount(text) > TextRule.MaxOctets)
        {
            Notes.NotTranslated(place);
            return;
        }
        if (Values.GetValueOrDefault(path) is string before && before != text)
            Notes.Add(place, $"{place.Key} takes the place of \"{before}\": Dns:{path} is one text");
        Values[path] = text;
    }

    /// <summary>Takes a secret of cookies over (RFC 9018, the same for all servers of an address): the first makes them.</summary>
    public void AddSecret(ConfigStatement place)
    {
        if (place.Value is not { Length: 32 } secret || !secret.All(char.IsAsciiHexDigit)) Notes.NotTranslated(place);
        else Values["Cookies:Secrets"] = (string[])[.. Values.GetValueOrDefault("Cookies:Secrets") as string[] ?? [], secret];
    }

    /// <summary>Takes over a text that is written as octets in hexadecimal digits.</summary>
    public void SetHex(ConfigStatement place, string path, string hex)
    {
        bool isHex = hex.Length % 2 == 0 && hex.All(char.IsAsciiHexDigit);
        byte[] octets = isHex ? Convert.FromHexString(hex) : [];
        bool isText = octets.Length > 0 && octets.All(octet => octet is > 0x20 and < 0x7F);
        SetText(place, path, isText ? Encoding.ASCII.GetString(octets) : null);
    }

    /// <summary>The settings file.</summary>
    public string ToJson()
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream, new JsonWriterOptions
        {
            Indented = true,
            Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        }))
        {
            json.WriteStartObject();
            json.WriteStartObject("Dns");
            if (Listen.Count > 0) WriteList(json, "Listen", Listen.Select(endPoint => endPoint.ToString()));
            WriteValues(json);
            json.WriteStartArray("Zones");
            foreach (var (name, file, clients) in _zones) WriteZone(json, name, file, clients);
            json.WriteEndArray();
            WriteForward(json);
            json.WriteEndObject();
            json.WriteEndObject();
        }
        return Encoding.UTF8.GetString(stream.ToArray()) + Environment.NewLine;
    }

    private void WriteValues(Utf8JsonWriter json)
    {
        foreach (var (path, value) in Values.Where(pair => !pair.Key.Contains(':'))) WriteValue(json, path, value);
        foreach (var section in Values.Where(pair => pair.Key.Contains(':')).GroupBy(pair => pair.Key.Split(':')[0]))
        {
            json.WriteStartObject(section.Key);
            foreach (var (path, value) in section) WriteValue(json, path.Split(':')[1], value);
            json.WriteEndObject();
        }
    }

    private void WriteForward(Utf8JsonWriter json)
    {
        if (_forward.Count == 0) return;
        json.WriteStartArray("Forward");
        foreach (var (zone, upstreams) in _forward)
        {
            json.WriteStartObject();
            json.WriteString("Zone", zone);
            WriteList(json, "Upstreams", upstreams);
            json.WriteEndObject();
        }
        json.WriteEndArray();
        if (AllowFrom is null) return;
        json.WriteStartObject("Recursion");
        WriteList(json, "AllowFrom", AllowFrom.Distinct());
        json.WriteEndObject();
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

    private static void WriteZone(Utf8JsonWriter json, string name, string file, List<string>? clients)
    {
        json.WriteStartObject();
        json.WriteString("Name", name);
        json.WriteString("File", file);
        if (clients is not null) WriteList(json, "AllowQuery", clients.Distinct());
        json.WriteEndObject();
    }
}

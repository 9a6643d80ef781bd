using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>Reads a value; false if it is not what is expected, reported or not.</summary>
/// <param name="node">What was written.</param>
/// <param name="path">The path of the setting, such as <c>Dns:RateLimit:Slip</c>.</param>
/// <param name="binder">Takes problems and resolves paths.</param>
public delegate bool SettingReader<V>(SettingNode node, string path, SettingsBinder binder, out V? value);

/// <summary>Adds the values of an element of a list, or reports what is wrong with it or with the list.</summary>
/// <param name="node">What was written.</param>
/// <param name="path">Its path, such as <c>Dns:RateLimit:Exempt:0</c>.</param>
/// <param name="binder">Takes problems and resolves paths.</param>
/// <param name="values">The values of the list so far.</param>
public delegate void ElementReader<V>(SettingNode node, string path, SettingsBinder binder, List<V> values);

/// <summary>What a value of settings may be: the reader, the JSON Schema and the manual are made of it.</summary>
/// <param name="types">The types of JSON, with spaces between them; text from outside a file is any scalar.</param>
/// <param name="expected">What a message expects in place of another value.</param>
/// <param name="words">What the manual calls it.</param>
public abstract class SettingValue(string types, string expected, string words)
{
    private readonly string[] _types = types.Split(' ');

    /// <summary>What a message expects in place of another value, such as <c>true or false</c>.</summary>
    public string Expected { get; } = expected;

    /// <summary>What the manual calls it, such as <c>whole number of octets, 512 to 65535</c>.</summary>
    public string Words { get; } = words;

    /// <summary>Keywords of the JSON Schema besides the type, such as <c>minimum</c>.</summary>
    private protected JsonObject Limits { get; } = [];

    /// <summary>The objects that it, or an element of it, may be.</summary>
    public IReadOnlyList<SettingsSection> Objects { get; init; } = [];

    /// <summary>Whether an element may be text in place of an object.</summary>
    public bool TakesTextOrObjects { get; init; }

    /// <summary>Its JSON Schema.</summary>
    public JsonObject Schema()
    {
        JsonObject schema = new()
        {
            ["type"] = _types is [var one] ? one : new JsonArray([.. _types.Select(type => (JsonNode)type)]),
        };
        foreach (var (keyword, value) in Limits) schema[keyword] = value?.DeepClone();
        if (_types[0] == "array") schema["items"] ??= ElementSchema();
        else if (Objects.Count > 0) schema["additionalProperties"] = ElementSchema();
        return schema;
    }

    private JsonObject ElementSchema()
    {
        JsonArray kinds = [.. Objects.Select(kind => kind.Schema())];
        if (Objects.Count == 0 || TakesTextOrObjects)
            kinds.Insert(0, new JsonObject { ["type"] = "string", ["minLength"] = 1 });
        return kinds.Count == 1 ? kinds[0]!.DeepClone().AsObject() : new JsonObject { ["oneOf"] = kinds };
    }

    /// <summary>Whether null is a value.</summary>
    protected internal bool TakesNull => _types.Contains("null");

    /// <summary>Whether a value that looks like this may be one.</summary>
    protected bool Takes(SettingKind kind) => _types.Any(type => type switch
    {
        "array" => kind == SettingKind.List,
        "object" => kind == SettingKind.Section,
        "null" => kind == SettingKind.Null,
        "boolean" => kind is SettingKind.Flag or SettingKind.Untyped,
        "string" => kind is SettingKind.Text or SettingKind.Untyped,
        _ => kind is SettingKind.Number or SettingKind.Untyped,
    });
}

/// <summary>What a value of settings may be, and how it is read and written.</summary>
/// <param name="types">The types of JSON, with spaces between them; text from outside a file is any scalar.</param>
/// <param name="expected">What a message expects in place of another value.</param>
/// <param name="words">What the manual calls it.</param>
/// <param name="read">Reads a value of these types, null aside.</param>
/// <param name="write">Writes a default.</param>
public sealed class SettingValue<V>(
    string types, string expected, string words, SettingReader<V> read, Func<V, JsonNode?> write)
    : SettingValue(types, expected, words)
{
    /// <summary>Reads a value, null as the default of the type; false after a report of what is wrong.</summary>
    public bool TryRead(SettingNode node, string path, SettingsBinder binder, out V value)
    {
        int before = binder.ProblemCount;
        V? found = default;
        bool isRead = node.Kind == SettingKind.Null && TakesNull ||
            Takes(node.Kind) && read(node, path, binder, out found);
        value = found!;
        if (!isRead && binder.ProblemCount == before) binder.Expect(node, path, Expected);
        return isRead && binder.ProblemCount == before;
    }

    /// <summary>Adds a keyword of the JSON Schema, such as <c>maxItems</c>, for a limit that reading checks.</summary>
    /// <returns>The same.</returns>
    public SettingValue<V> Limit(string keyword, JsonNode value)
    {
        Limits[keyword] = value;
        return this;
    }

    internal JsonNode? Write(V value) => write(value);
}

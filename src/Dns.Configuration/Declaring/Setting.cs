using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>A declared setting, or a section of them.</summary>
/// <param name="name">The key, as documented; letter case does not matter.</param>
/// <param name="words">What it is for: the description of the manual and of the JSON Schema.</param>
public abstract class Setting(string name, string words)
{
    /// <summary>The key, as documented; letter case does not matter.</summary>
    public string Name { get; } = name;

    /// <summary>What it is for: the description of the manual and of the JSON Schema.</summary>
    public string Words { get; } = words;

    /// <summary>Whether a reload of the settings applies it; of a section, whether it applies every member.</summary>
    public bool IsLive { get; init; }

    /// <summary>Whether its value is secret: no message repeats what was written there.</summary>
    public bool IsSecret { get; init; }

    /// <summary>Its JSON Schema.</summary>
    public abstract JsonObject Schema();

    /// <summary>Checks its value when all settings are read, if it was written.</summary>
    internal virtual void FindProblems(SettingsProblems problems)
    {
    }

    /// <summary>Whether it has a name, in any letter case.</summary>
    public bool IsNamed(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}

/// <summary>A declared setting with a value.</summary>
/// <param name="name">The key, as documented; letter case does not matter.</param>
/// <param name="words">What it is for: the description of the manual and of the JSON Schema.</param>
/// <param name="value">What it may be.</param>
/// <param name="example">An example of a value, as JSON.</param>
public abstract class ValueSetting(string name, string words, SettingValue value, JsonNode? example)
    : Setting(name, words)
{
    /// <summary>What it may be.</summary>
    public SettingValue Value { get; } = value;

    /// <summary>An example of a value, as JSON; null for a member that is shown in the example of its object.</summary>
    public JsonNode? Example { get; } = example;

    /// <summary>Whether there is a default; else leaving it out means something of its own.</summary>
    public abstract bool HasDefault { get; }

    /// <summary>The default as JSON; null is also that of JSON.</summary>
    public abstract JsonNode? Default { get; }

    /// <inheritdoc/>
    public override JsonObject Schema()
    {
        JsonObject schema = new() { ["description"] = Words };
        foreach (var (keyword, value) in Value.Schema()) schema[keyword] = value?.DeepClone();
        if (HasDefault) schema["default"] = Default;
        if (Example is not null) schema["examples"] = new JsonArray(Example.DeepClone());
        return schema;
    }
}

/// <summary>A setting whose value goes into options.</summary>
/// <typeparam name="T">The options: an immutable record.</typeparam>
public abstract class Setting<T>(string name, string words, SettingValue value, JsonNode? example)
    : ValueSetting(name, words, value, example)
{
    /// <summary>Puts a value into options; false after a report of what is wrong with it.</summary>
    internal abstract bool TryRead(SettingNode node, string path, SettingsBinder binder, ref T options);
}

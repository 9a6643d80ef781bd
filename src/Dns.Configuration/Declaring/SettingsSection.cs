using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>Settings below a common key, or the members of an object in a list.</summary>
/// <param name="name">The key; of an object in a list <c>N</c>, of one with a name of its own <c>NAME</c>.</param>
/// <param name="words">What it is for: the description of the manual and of the JSON Schema.</param>
public abstract class SettingsSection(string name, string words) : Setting(name, words)
{
    /// <summary>The settings, in the order of the manual.</summary>
    public abstract IReadOnlyList<Setting> Members { get; }

    /// <summary>The members that an object has to have.</summary>
    public IReadOnlyList<string> Required { get; init; } = [];

    /// <summary>What a message expects in place of an object without one of these.</summary>
    public string Expected { get; init; } = "";

    /// <summary>The page of the manual that has the members; null = the page of the settings.</summary>
    public string? Page { get; init; }

    /// <inheritdoc/>
    public override JsonObject Schema()
    {
        JsonObject schema = new()
        {
            ["description"] = Words, ["type"] = "object", ["additionalProperties"] = false,
        };
        if (Required.Count > 0) schema["required"] = new JsonArray([.. Required.Select(name => (JsonNode)name)]);
        schema["properties"] = new JsonObject(Members.Select(
            member => KeyValuePair.Create(member.Name, (JsonNode?)member.Schema())));
        return schema;
    }

    internal abstract object ReadOptions(SettingNode node, string path, SettingsBinder binder);
}

/// <summary>A declared section and its options.</summary>
/// <typeparam name="T">The options: an immutable record.</typeparam>
/// <param name="name">The key, as documented; letter case does not matter.</param>
/// <param name="words">What it is for: the description of the manual and of the JSON Schema.</param>
/// <param name="defaults">The options without any setting.</param>
public sealed class SettingsSection<T>(string name, string words, T defaults)
    : SettingsSection(name, words), IOptionsOf<T> where T : notnull
{
    /// <summary>The most members that a message names.</summary>
    private const int MaxNamed = 12;

    private readonly List<Setting<T>> _members = [];
    private readonly List<Action<T, SettingsProblems>> _checks = [];

    /// <inheritdoc/>
    public override IReadOnlyList<Setting> Members => _members;

    /// <summary>The options without any setting.</summary>
    public T Defaults { get; } = defaults;

    /// <summary>Declares a setting.</summary>
    /// <param name="name">The key, as documented; letter case does not matter.</param>
    /// <param name="value">What it may be.</param>
    /// <param name="get">The value in options, for the default; null = leaving it out is a value of its own.</param>
    /// <param name="set">The options with a value.</param>
    /// <param name="words">What it is for: the description of the manual and of the JSON Schema.</param>
    /// <param name="example">A value as JSON; it is read by a test.</param>
    /// <param name="isLive">Whether a reload of the settings applies it.</param>
    /// <param name="isSecret">Whether no message may repeat its value.</param>
    /// <returns>The section.</returns>
    public SettingsSection<T> Add<V>(
        string name, SettingValue<V> value, Func<T, V>? get, Func<T, V, T> set, string words, JsonNode? example = null,
        bool isLive = false, bool isSecret = false)
    {
        _members.Add(new Member<V>(name, words, value, example, Defaults, get, set)
        {
            IsLive = isLive, IsSecret = isSecret,
        });
        return this;
    }

    /// <summary>Adds a check of values that do not go together, which runs when all settings are read.</summary>
    /// <returns>The section.</returns>
    public SettingsSection<T> Check(Action<T, SettingsProblems> check)
    {
        _checks.Add(check);
        return this;
    }

    /// <summary>Sets one setting to a value as the file has it; false if it is none of this setting.</summary>
    /// <param name="setting">The name of a declared setting.</param>
    public bool TrySet(string setting, SettingKind kind, string value, ref T options) =>
        _members.First(member => member.IsNamed(setting)).TryRead(
            new SettingNode(setting, kind, value, default), setting,
            new SettingsBinder(Environment.CurrentDirectory, [], DeclaredSettings.OfProgram), ref options);

    /// <summary>What a message expects in place of a wrong value of a setting.</summary>
    public string ExpectedOf(string setting) => _members.First(member => member.IsNamed(setting)).Value.Expected;

    /// <summary>Reads the members of an object.</summary>
    /// <param name="unread">Receives the names of settings that could not be read.</param>
    /// <returns>The options, as far as they could be read.</returns>
    public T Read(SettingNode node, string path, SettingsBinder binder, T options, ISet<string>? unread = null)
    {
        bool isKnown = true;
        foreach (SettingNode member in node.Children)
        {
            string memberPath = path + ":" + member.Name;
            Setting<T>? setting = _members.Find(setting => setting.IsNamed(member.Name));
            if (setting is null)
            {
                string[] names = [.. _members.Select(known => known.Name)];
                binder.Unknown(member, memberPath, names);
                isKnown = false;
                if (NearestName.Find(member.Name, names) is { } meant) unread?.Add(meant);
            }
            else if (!setting.TryRead(member, memberPath, binder, ref options)) unread?.Add(setting.Name);
        }
        // What is missing is most likely what was misspelled.
        foreach (string name in isKnown ? Required : [])
            if (node.Find(name) is null) binder.Report(node, $"{path} has no {name}: expected {Expected}");
        return options;
    }

    internal override object ReadOptions(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind == SettingKind.Section) return Read(node, path, binder, Defaults);
        string some = _members.Count > MaxNamed
            ? "" : " with any of " + string.Join(", ", _members.Select(member => member.Name));
        binder.Expect(node, path, "an object { ... }" + some);
        return Defaults;
    }

    internal override void FindProblems(SettingsProblems problems)
    {
        foreach (Action<T, SettingsProblems> check in _checks) check(problems.Options.Of(this), problems);
    }

    private sealed class Member<V>(
        string name, string words, SettingValue<V> value, JsonNode? example, T defaults, Func<T, V>? get,
        Func<T, V, T> set) : Setting<T>(name, words, value, example)
    {
        public override bool HasDefault => get is not null;

        public override JsonNode? Default => get is null ? null : value.Write(get(defaults));

        internal override bool TryRead(SettingNode node, string path, SettingsBinder binder, ref T options)
        {
            if (!value.TryRead(node, path, binder, out V read)) return false;
            options = set(options, read);
            return true;
        }
    }
}

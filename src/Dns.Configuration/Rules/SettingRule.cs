namespace Dns.Configuration.Rules;

/// <summary>What one setting may be and where its value goes: a row of <see cref="SettingsTable"/>.</summary>
/// <param name="name">The key, as documented.</param>
internal abstract class SettingRule(string name)
{
    public string Name { get; } = name;

    /// <summary>Whether a reload of the settings applies it; of a section, whether it applies every member.</summary>
    public bool IsLive { get; init; }

    /// <summary>Whether its value is secret: no message repeats what was written there.</summary>
    public bool IsSecret { get; init; }

    /// <summary>Checks a value and puts it into the options, or adds what is wrong with it.</summary>
    public abstract void Apply(SettingNode node, string path, SettingsBinder binder);
}

/// <summary>A whole number within bounds.</summary>
internal sealed class NumberRule(string name, int least, int most, string unit, Action<ServerOptions, int> set)
    : SettingRule(name)
{
    public int Least { get; } = least;

    public int Most { get; } = most;

    /// <summary>What it counts, in the plural.</summary>
    public string Unit { get; } = unit;

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isNumber =
            int.TryParse(node.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value);
        if (node.Kind is SettingKind.Number or SettingKind.Untyped && isNumber && value >= Least && value <= Most)
            set(binder.Options, value);
        else
            binder.Expect(node, path, $"a whole number of {Unit} from {Least} to {Most}");
    }
}

/// <summary>true or false.</summary>
internal sealed class FlagRule(string name, Action<ServerOptions, bool> set) : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind is SettingKind.Flag or SettingKind.Untyped && bool.TryParse(node.Value, out bool value))
            set(binder.Options, value);
        else
            binder.Expect(node, path, "true or false");
    }
}

/// <summary>Text that has to fit into one character-string of a record, or null.</summary>
internal sealed class TextRule(string name, Action<ServerOptions, string?> set) : SettingRule(name)
{
    /// <summary>The longest text in octets of UTF-8 (RFC 1035 §3.3).</summary>
    public const int MaxOctets = 255;

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isText = node.Kind is SettingKind.Text or SettingKind.Untyped;
        if (node.Kind == SettingKind.Null)
            set(binder.Options, null);
        else if (isText && node.Value is { Length: > 0 } text && Encoding.UTF8.GetByteCount(text) <= MaxOctets)
            set(binder.Options, text);
        else
            binder.Expect(node, path, $"text of 1 to {MaxOctets} octets, or null");
    }
}

/// <summary>One of several words.</summary>
internal sealed class ChoiceRule(string name, string[] choices, Action<ServerOptions, string> set) : SettingRule(name)
{
    public IReadOnlyList<string> Choices { get; } = choices;

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isText = node.Kind is SettingKind.Text or SettingKind.Untyped;
        string? choice = Array.Find(choices, c => c.Equals(node.Value, StringComparison.OrdinalIgnoreCase));
        if (isText && choice is not null) set(binder.Options, choice);
        else binder.Expect(node, path, "one of " + string.Join(", ", Choices));
    }
}

/// <summary>Settings below a common key.</summary>
internal sealed class SectionRule(string name, params SettingRule[] members) : SettingRule(name)
{
    /// <summary>The most members that a message names.</summary>
    private const int MaxNamed = 12;

    public IReadOnlyList<SettingRule> Members { get; } = members;

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind != SettingKind.Section)
        {
            string some = members.Length > MaxNamed
                ? "" : " with any of " + string.Join(", ", members.Select(member => member.Name));
            binder.Expect(node, path, "an object { ... }" + some);
            return;
        }
        foreach (SettingNode member in node.Children)
        {
            string memberPath = path + ":" + member.Name;
            SettingRule? rule =
                Array.Find(members, r => r.Name.Equals(member.Name, StringComparison.OrdinalIgnoreCase));
            if (rule is null) binder.Unknown(member, memberPath, members.Select(r => r.Name));
            else rule.Apply(member, memberPath, binder);
        }
    }
}

/// <summary>A list whose elements have rules of their own.</summary>
internal sealed class ListRule(string name, string expected, Action<SettingNode, string, SettingsBinder> apply)
    : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind == SettingKind.List) apply(node, path, binder);
        else binder.Expect(node, path, expected);
    }
}

using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>What has a value of its own in <see cref="ServerOptions"/>, to be read by <c>Of</c>.</summary>
public interface IOptionsOf<out T>
{
    /// <summary>The value without any setting.</summary>
    T Defaults { get; }
}

/// <summary>A setting of a feature beside the sections of <c>Dns</c>.</summary>
/// <param name="name">The key, as documented; letter case does not matter.</param>
/// <param name="words">What it is for: the description of the manual and of the JSON Schema.</param>
/// <param name="value">What it may be.</param>
/// <param name="defaults">The value without the setting.</param>
/// <param name="example">A value as JSON; it is read by a test.</param>
/// <param name="check">Checks the value when all settings are read.</param>
public sealed class FeatureSetting<V>(
    string name, string words, SettingValue<V> value, V defaults, JsonNode? example,
    Action<V, SettingsProblems> check) : Setting<ServerOptions>(name, words, value, example), IOptionsOf<V>
    where V : notnull
{
    /// <inheritdoc/>
    public V Defaults => defaults;

    /// <inheritdoc/>
    public override bool HasDefault => true;

    /// <inheritdoc/>
    public override JsonNode? Default => value.Write(defaults);

    internal override bool TryRead(SettingNode node, string path, SettingsBinder binder, ref ServerOptions options)
    {
        if (!value.TryRead(node, path, binder, out V read)) return false;
        options = options.With(this, read);
        return true;
    }

    internal override void FindProblems(SettingsProblems problems) => check(problems.Options.Of(this), problems);
}

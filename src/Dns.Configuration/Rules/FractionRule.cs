namespace Dns.Configuration.Rules;

/// <summary>A share: a number from 0 to 1.</summary>
internal sealed class FractionRule(string name, Action<ServerOptions, double> set) : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind is SettingKind.Number or SettingKind.Untyped
            && double.TryParse(node.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) &&
            value is >= 0 and <= 1)
            set(binder.Options, value);
        else
            binder.Expect(node, path, "a number from 0 to 1, such as 0.01");
    }
}

namespace Dns.Configuration.Rules;

/// <summary>A value that is read by a function of its own, whatever it looks like.</summary>
internal sealed class ValueRule(string name, Action<SettingNode, string, SettingsBinder> apply) : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder) => apply(node, path, binder);
}

namespace Dns.Configuration.Rules;

/// <summary>The path of a file, relative to the settings file, or null.</summary>
internal sealed class PathRule(string name, Action<ServerOptions, string?> set) : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind == SettingKind.Null) set(binder.Options, null);
        else if (node.Kind is SettingKind.Text or SettingKind.Untyped && node.Value is { Length: > 0 } file &&
            !file.Contains('\0'))
            set(binder.Options, binder.Resolve(file));
        else binder.Expect(node, path, "the path of a file, or null");
    }
}

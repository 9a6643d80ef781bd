namespace Dns.Configuration.Rules;

/// <summary>The path of a socket, relative to the settings file, or the word <c>auto</c>, or null.</summary>
internal sealed class SocketPathRule(string name, Action<ServerOptions, string?> set) : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isText = node.Kind is SettingKind.Text or SettingKind.Untyped;
        if (node.Kind == SettingKind.Null) set(binder.Options, null);
        else if (isText && ControlOptions.Automatic.Equals(node.Value, StringComparison.OrdinalIgnoreCase))
            set(binder.Options, ControlOptions.Automatic);
        else if (isText && node.Value is { Length: > 0 } file && !file.Contains('\0'))
            set(binder.Options, OperatingSystem.IsWindows() ? file : binder.Resolve(file));
        else binder.Expect(node, path, "the path of a socket, auto, or null");
    }
}

namespace Dns.Configuration.Rules;

/// <summary>The path of a Unix domain socket, relative to the settings file, or null.</summary>
internal sealed class SocketPathRule(string name, Action<ServerOptions, string?> set) : SettingRule(name)
{
    /// <summary>Whether it may be the word <c>auto</c>; on Windows it is the name of a pipe then.</summary>
    public bool IsOfControl { get; init; }

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isText = node.Kind is SettingKind.Text or SettingKind.Untyped;
        if (node.Kind == SettingKind.Null) set(binder.Options, null);
        else if (IsOfControl && isText &&
            ControlOptions.Automatic.Equals(node.Value, StringComparison.OrdinalIgnoreCase))
            set(binder.Options, ControlOptions.Automatic);
        else if (!isText || node.Value is not { Length: > 0 } file || file.Contains('\0'))
            binder.Expect(node, path, $"the path of a socket, {(IsOfControl ? "auto, " : "")}or null");
        else if (IsOfControl && OperatingSystem.IsWindows()) set(binder.Options, file);
        else if (binder.Resolve(file) is var resolved && SocketPath.IsUnfit(resolved))
            binder.Report(node, $"{path} is the socket {resolved}: expected {SocketPath.ExpectedFor(resolved)}");
        else set(binder.Options, resolved);
    }
}

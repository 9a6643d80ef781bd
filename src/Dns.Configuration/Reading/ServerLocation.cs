namespace Dns.Configuration.Reading;

/// <summary>
/// Whether settings with errors still say where the running server is: at <c>Dns:Control:Socket</c>, else at the
/// socket with the first port of <c>Dns:Listen</c>. A guess is worse than none, since a command may stop the server.
/// </summary>
public static class ServerLocation
{
    /// <summary>Whether these two are as they were written, and not the default in place of a misspelled key.</summary>
    /// <param name="directory">What relative paths are relative to.</param>
    public static bool IsKnown(SettingNode root, string directory, DeclaredSettings declared)
    {
        if (root.Find("Dns") is not { Kind: SettingKind.Section } dns) return false;
        SettingNode? listen = dns.Find("Listen"), control = dns.Find("Control"), socket = control?.Find("Socket");
        foreach (SettingNode? node in (SettingNode?[])[dns, listen, control, socket])
            if (node is { IsRepeated: true }) return false;
        if (HasErrors(listen, directory, declared) || HasErrors(control, directory, declared)) return false;
        if (socket is not null && !ControlOptions.Automatic.Equals(socket.Value, StringComparison.OrdinalIgnoreCase))
            return true;
        string[] names = [.. declared.Members.Select(rule => rule.Name)];
        IEnumerable<string> unknown = dns.Children.Select(child => child.Name).Where(name => !IsIn(names, name));
        return listen is not null
            ? !unknown.Any(name => NearestName.Find(name, names) == "Control")
            : !unknown.Any() && root.Children.All(child => IsIn(["Dns", "Serilog", "$schema"], child.Name));
    }

    private static bool HasErrors(SettingNode? node, string directory, DeclaredSettings declared)
    {
        List<SettingDiagnostic> problems = [];
        if (node is null) return false;
        declared.ReadMember(node, new SettingsBinder(directory, problems, declared));
        return problems.Count > 0;
    }

    private static bool IsIn(string[] names, string name) => names.Contains(name, StringComparer.OrdinalIgnoreCase);
}

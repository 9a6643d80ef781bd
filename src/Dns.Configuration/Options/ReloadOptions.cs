namespace Dns.Configuration.Options;

/// <summary>How changes of zone files are noticed, section <c>Dns:Reload</c>.</summary>
/// <param name="PollSeconds">0 = only if the system reports no changes, every 5 s.</param>
public sealed record ReloadOptions(bool Watch = true, int PollSeconds = 0)
{
    /// <summary>The section.</summary>
    public static SettingsSection<ReloadOptions> Section { get; } =
        new SettingsSection<ReloadOptions>("Reload", "How changes of zone files are detected.", new())
        .Add("Watch", Flag, o => o.Watch, (o, v) => o with { Watch = v },
            "Whether zone files are watched (inotify) and reloaded when they change.", false)
        .Add("PollSeconds", Number(0, 86_400, "seconds"), o => o.PollSeconds, (o, v) => o with { PollSeconds = v },
            "Interval at which all zone files are checked for changes, such as files of a network file system. 0 = only where the system cannot watch, every 5 s.", 60);
}

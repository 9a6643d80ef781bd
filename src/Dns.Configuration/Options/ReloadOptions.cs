namespace Dns.Configuration.Options;

/// <summary>How changes of zone files are noticed, section <c>Dns:Reload</c>.</summary>
internal sealed class ReloadOptions
{
    /// <summary>Whether zone files are watched and read again when they change.</summary>
    public bool Watch { get; set; } = true;

    /// <summary>Seconds between polls of all files; 0 = only if the system reports no changes, every 5 s.</summary>
    public int PollSeconds { get; set; }
}

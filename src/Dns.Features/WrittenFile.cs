namespace Dns.Features;

/// <summary>A file of the settings that the server writes.</summary>
/// <param name="Key">Its setting: <c>Dns:Cache:File</c>.</param>
public sealed record WrittenFile(string Key, string Path)
{
    /// <summary>Whether it is a socket.</summary>
    public bool IsSocket { get; init; }
}

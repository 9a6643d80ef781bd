namespace Dns.Hosting.Log;

/// <summary>A file of the settings that cannot be written.</summary>
/// <param name="Key">The setting.</param>
public sealed record FileFault(string Key, string Path, string Why)
{
    public override string ToString() => $"{Key} is \"{Path}\", which cannot be written: {Why}";
}

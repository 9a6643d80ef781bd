namespace Dns.Dnssec.Tests;

/// <summary>A folder that goes with the test.</summary>
internal sealed class KeyFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("dnsd-keys-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}

namespace Dns.Bench;

/// <summary>A folder that is gone, with everything in it, when disposed.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    internal TemporaryFolder() => Leftovers.Add(this);

    internal string Path { get; } = Directory.CreateTempSubdirectory("dnsbench-").FullName;

    internal string File(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose()
    {
        if (Leftovers.Remove(this)) Directory.Delete(Path, recursive: true);
    }
}

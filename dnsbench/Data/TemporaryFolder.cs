namespace Dns.Bench;

/// <summary>A folder that is deleted with its content when disposed.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private const string SharedMemory = "/dev/shm";
    private const int MaxTries = 20;
    private const int PauseMs = 50;

    internal TemporaryFolder()
        : this(System.IO.Path.GetTempPath())
    {
    }

    private TemporaryFolder(string parent)
    {
        Path = Directory.CreateDirectory(System.IO.Path.Combine(parent, $"dnsbench-{Guid.NewGuid():N}")).FullName;
        Leftovers.Add(this);
    }

    /// <summary>A folder on a disk of the caller's choice.</summary>
    internal static TemporaryFolder In(string parent) => new(parent);

    internal string Path { get; }

    /// <summary>
    /// A folder in memory if the system has one: a server that syncs a database to disk for each of its zones is
    /// measured by its work instead of by the disk.
    /// </summary>
    internal static TemporaryFolder InMemory() =>
        Directory.Exists(SharedMemory) ? new TemporaryFolder(SharedMemory) : new TemporaryFolder();

    internal string File(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose()
    {
        if (Leftovers.Remove(this)) Delete(Path);
    }

    /// <summary>Deletes a folder in which a process that was just ended may still write.</summary>
    internal static void Delete(string folder)
    {
        for (int tries = 0; ; tries++)
        {
            try
            {
                Directory.Delete(folder, recursive: true);
                return;
            }
            catch (DirectoryNotFoundException) when (!Directory.Exists(folder))
            {
                return;
            }
            catch (IOException) when (tries < MaxTries)
            {
                // A process that was just ended may still create files in it.
                Thread.Sleep(PauseMs);
            }
        }
    }
}

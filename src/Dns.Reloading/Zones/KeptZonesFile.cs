using System.Text.Json;

namespace Dns.Reloading.Zones;

/// <summary>
/// Stores <see cref="KeptZones"/> over restarts in a file of the state directory, replaced atomically. A change is on
/// disk, file and directory, when <see cref="Change"/> returns.
/// </summary>
/// <param name="directory">The state directory, created on demand.</param>
public sealed class KeptZonesFile(string directory)
{
    /// <summary>The error for a file that this user may not read.</summary>
    public const string PermissionDenied = "permission denied";

    private const string Name = "zones.json";
    private const int MaxOctets = 64 << 20;

    private readonly Lock _lock = new();

    public string Path { get; } = System.IO.Path.Combine(directory, Name);

    /// <summary>Reads the file; empty if it does not exist.</summary>
    /// <param name="fault">The error, in one line.</param>
    public bool TryRead([NotNullWhen(true)] out KeptZones? state, [NotNullWhen(false)] out string? fault)
    {
        (state, fault) = (null, null);
        try
        {
            using FileStream file = ExclusiveFile.OpenToRead(Path);
            if (file.Length > MaxOctets) fault = "it is too large";
            else state = JsonSerializer.Deserialize(file, KeptZonesJson.Default.KeptZones);
            if (state?.IsValid() == false)
                (state, fault) = (null, $"it is not of version {KeptZones.CurrentVersion}, or holds no zones");
            if (state is null) fault ??= "it is empty";
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            state = new KeptZones();
        }
        catch (UnauthorizedAccessException)
        {
            fault = PermissionDenied;
        }
        catch (JsonException error)
        {
            fault = $"line {error.LineNumber + 1} is not as it was written";
        }
        catch (IOException error)
        {
            fault = error.Message.ReplaceLineEndings(" ");
        }
        return state is not null;
    }

    /// <summary>Changes the content of the current file, which a server that takes over may have written.</summary>
    /// <exception cref="IOException">
    /// It cannot be written, and is unchanged. The inner exception is <see cref="UnauthorizedAccessException"/> if this
    /// user may not.
    /// </exception>
    public void Change(Func<KeptZones, KeptZones> change)
    {
        lock (_lock)
        {
            if (!TryRead(out KeptZones? state, out string? fault))
                throw new IOException($"{Path}: {fault}",
                    fault == PermissionDenied ? new UnauthorizedAccessException(fault) : null);
            try
            {
                Write(JsonSerializer.SerializeToUtf8Bytes(change(state), KeptZonesJson.Default.KeptZones));
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                throw new IOException($"{Path}: {error.Message.ReplaceLineEndings(" ")}", error);
            }
        }
    }

    private void Write(byte[] text)
    {
        if (!Directory.Exists(directory)) MakeDirectory();
        ExclusiveFile.Replace(Path, [], file => file.Write(text));
    }

    private void MakeDirectory()
    {
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(directory);
        else Directory.CreateDirectory(directory,
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        if (System.IO.Path.GetDirectoryName(directory) is { Length: > 0 } parent) DirectorySync.Flush(parent);
    }
}

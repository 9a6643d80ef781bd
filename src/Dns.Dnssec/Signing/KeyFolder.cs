namespace Dns.Dnssec.Signing;

/// <summary>The key files of a zone in a folder, in BIND's layout. Disposing it disposes the keys.</summary>
public sealed class KeyFolder : IDisposable
{
    private readonly List<KeyFile> _keys = [];
    private readonly List<TextFault> _errors = [];

    private KeyFolder(string path, DomainName zone) => (Path, Zone) = (path, zone);

    /// <summary>The folder.</summary>
    public string Path { get; }

    /// <summary>The zone.</summary>
    public DomainName Zone { get; }

    /// <summary>The zone's readable keys, in the order of file names.</summary>
    public IReadOnlyList<KeyFile> Keys => _keys;

    /// <summary>Errors of the others.</summary>
    public IReadOnlyList<TextFault> Errors => _errors;

    /// <summary>Reads the keys of a zone; none if the folder does not exist.</summary>
    public static KeyFolder Read(string path, DomainName zone)
    {
        KeyFolder folder = new(path, zone);
        string baseName = KeyFile.BaseNameOf(zone, default, 0);
        string prefix = baseName[..(baseName.IndexOf('+', StringComparison.Ordinal) + 1)];
        try
        {
            string[] files = Directory.GetFiles(path, "K*" + KeyFile.PublicExtension);
            Array.Sort(files, StringComparer.Ordinal);
            foreach (string file in files)
                if (System.IO.Path.GetFileName(file).StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
                    folder.Add(file);
        }
        catch (DirectoryNotFoundException)
        {
            // There are no keys. A test before would be the same for one that this user may not see.
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            folder._errors.Add(new TextFault(TextFaultKind.Unreadable, path, detail: error.Message));
        }
        return folder;
    }

    /// <summary>Writes a key into the folder, which is created with mode 0700 if necessary.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public static void Write(string path, KeyFile key)
    {
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(path);
        else Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        key.Write(path);
    }

    /// <summary>Generates and writes a key whose tag, revoked or not, is unique among the zone's keys here.</summary>
    /// <param name="isSep">Whether it is a KSK or CSK.</param>
    /// <param name="bits">Bits of RSA; 0 = default.</param>
    /// <param name="now">When it is published and active.</param>
    /// <exception cref="IOException">It could not be written.</exception>
    /// <exception cref="NotSupportedException">This machine cannot sign with the algorithm.</exception>
    public KeyFile Generate(DnssecAlgorithm algorithm, bool isSep, int bits, DateTimeOffset now)
    {
        while (true)
        {
            SigningKey key = SigningKey.Generate(algorithm, isSep, bits);
            if (IsTagTaken(key.Public))
            {
                key.Dispose();
                continue;
            }
            KeyTimes times = new() { Created = now, Publish = now, Activate = now };
            KeyFile file = new() { Zone = Zone, Public = key.Public, Key = key, Times = times };
            _keys.Add(file);
            Write(Path, file);
            return file;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (KeyFile key in _keys) key.Dispose();
    }

    private bool IsTagTaken(Dnskey key)
    {
        foreach (KeyFile other in _keys)
        {
            ushort revoked = other.Public.WithFlags((ushort)(other.Public.Flags ^ Dnskey.RevokeFlag)).Tag;
            if (key.Tag == other.Public.Tag || key.Tag == revoked) return true;
        }
        return false;
    }

    private void Add(string file)
    {
        if (!KeyFile.TryRead(file, out KeyFile? key, out TextFault? fault)) _errors.Add(fault);
        else if (key.Zone.Equals(Zone)) _keys.Add(key);
        else
        {
            _errors.Add(new TextFault(
                TextFaultKind.KeyOfOtherZone, file, new TextWord(key.Zone.ToString(), 1, 1), Zone.ToString()));
            key.Dispose();
        }
    }
}

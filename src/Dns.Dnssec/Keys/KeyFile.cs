namespace Dns.Dnssec.Keys;

/// <summary>
/// A key in the two files of BIND: <c>K(zone)+(algorithm)+(tag).key</c> with its DNSKEY record, and <c>.private</c>
/// beside it with its numbers and times, which only its owner may read. Disposing it disposes the key.
/// </summary>
public sealed class KeyFile : IDisposable
{
    // Of the 255 octets of file systems, "K", "+013+00007", ".private" and ".tmp" take the others.
    private const int MaxNameLength = 232;

    /// <summary>The suffix of the file with the private key.</summary>
    public const string PrivateExtension = ".private";

    /// <summary>The suffix of the file in which BIND keeps the state of a rollover.</summary>
    public const string StateExtension = ".state";

    /// <summary>The suffix of the file with the record.</summary>
    public const string PublicExtension = ".key";

    /// <summary>The zone.</summary>
    public required DomainName Zone { get; init; }

    /// <summary>The public key.</summary>
    public required Dnskey Public { get; init; }

    /// <summary>The private key; null if only the record exists, as for an offline key.</summary>
    public SigningKey? Key { get; init; }

    /// <summary>The TTL of the DNSKEY record in seconds; null = not stated.</summary>
    public uint? Ttl { get; init; }

    /// <summary>The times.</summary>
    public KeyTimes Times { get; init; } = new();

    /// <summary>Lines of the private file with unknown names, preserved.</summary>
    public IReadOnlyList<string> OtherLines { get; init; } = [];

    /// <summary>The name of its files without extension.</summary>
    public string BaseName => BaseNameOf(Zone, Public.Algorithm, Public.Tag);

    /// <summary>The name of a key's files without extension; no zone name can form a path.</summary>
    public static string BaseNameOf(DomainName zone, DnssecAlgorithm algorithm, ushort tag) =>
        string.Create(CultureInfo.InvariantCulture, $"K{NameOf(zone)}+{(byte)algorithm:D3}+{tag:D5}");

    /// <summary>Reads a key.</summary>
    /// <param name="path">Either file, or both without extension.</param>
    /// <param name="file">The key; the caller disposes it.</param>
    public static bool TryRead(
        string path, [NotNullWhen(true)] out KeyFile? file, [NotNullWhen(false)] out TextFault? fault) =>
        KeyFileReader.TryRead(WithoutExtension(path), out file, out fault);

    /// <summary>
    /// Reads a key that another server used. BIND publishes a KSK beyond its <c>Delete</c> time until the parent has
    /// the next DS record: where the state beside it says so, that time is left out.
    /// </summary>
    /// <inheritdoc cref="TryRead"/>
    public static bool TryReadUsed(
        string path, DateTimeOffset now, [NotNullWhen(true)] out KeyFile? file,
        [NotNullWhen(false)] out TextFault? fault)
    {
        if (!TryRead(path, out file, out fault)) return false;
        if (!file.IsDeleted(now) || !KeyFileReader.IsInZone(WithoutExtension(path) + StateExtension)) return true;
        file = file.With(file.Times with { Delete = null });
        return true;
    }

    /// <summary>The key with other times; it replaces this one.</summary>
    internal KeyFile With(KeyTimes times) => new()
    {
        Zone = Zone, Public = Public, Key = Key, Ttl = Ttl, Times = times, OtherLines = OtherLines,
    };

    /// <summary>Whether its <c>Delete</c> time has come.</summary>
    public bool IsDeleted(DateTimeOffset now) => Times.Delete <= now;

    /// <summary>Writes both files, each atomically: first the private one with mode 0600, then the record.</summary>
    /// <param name="folder">The existing folder.</param>
    /// <param name="files">A file system that makes both files private to their owner; null = the real one.</param>
    /// <exception cref="IOException">One could not be written: each is whole, the previous or the new one.</exception>
    public void Write(string folder, IJournalFiles? files = null)
    {
        string path = Path.Combine(folder, BaseName);
        if (Key is not null) KeyFileWriter.WritePrivate(path + PrivateExtension, this, files);
        DurableFile.Write(path + PublicExtension, Encoding.ASCII.GetBytes(FormatPublic()), isPrivate: false, files);
    }

    /// <summary>The text of the file with the record.</summary>
    public string FormatPublic() => KeyFileWriter.FormatPublic(this);

    /// <inheritdoc/>
    public void Dispose() => Key?.Dispose();

    private static string WithoutExtension(string path) =>
        path.EndsWith(PrivateExtension, StringComparison.Ordinal) ? path[..^PrivateExtension.Length]
        : path.EndsWith(PublicExtension, StringComparison.Ordinal) ? path[..^PublicExtension.Length] : path;

    // Letters, digits, hyphen, underscore and the dots between labels; any other octet as %XX. One that is too long for
    // file systems has a digest instead of its end.
    private static string NameOf(DomainName zone)
    {
        StringBuilder text = new();
        ReadOnlySpan<byte> left = zone.Octets;
        for (; left[0] != 0; left = left[(left[0] + 1)..])
        {
            foreach (byte octet in left.Slice(1, left[0]))
            {
                char c = (char)WireName.ToLower(octet);
                if (char.IsAsciiLetterOrDigit(c) || c is '-' or '_') text.Append(c);
                else text.Append('%').Append(octet.ToString("X2", CultureInfo.InvariantCulture));
            }
            text.Append('.');
        }
        if (text.Length > MaxNameLength) return ZoneFileNames.Of(zone) + ".";
        return text.Length == 0 ? "." : text.ToString();
    }
}

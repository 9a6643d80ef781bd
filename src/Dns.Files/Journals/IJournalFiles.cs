namespace Dns.Files.Journals;

/// <summary>
/// The file system operations of journals, zone copies and keys, so that a test can cut files, fill the disk and make a
/// flush fail. Every failure is an <see cref="IOException"/>.
/// </summary>
public interface IJournalFiles
{
    /// <summary>Whether a file exists.</summary>
    bool Exists(string path);

    /// <summary>The names of the files in a directory; empty if it does not exist.</summary>
    IReadOnlyList<string> List(string directory);

    /// <summary>Opens a file to read and write; false if it does not exist.</summary>
    bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file);

    /// <summary>Creates a new file, and its directory if necessary.</summary>
    IJournalFile Create(string path);

    /// <summary>Renames a file, replacing an existing one. Survives a power failure.</summary>
    void Move(string from, string to);

    /// <summary>Deletes a file, if it exists. Survives a power failure.</summary>
    void Delete(string path);
}

/// <summary>An open file.</summary>
public interface IJournalFile : IDisposable
{
    /// <summary>Its length in octets.</summary>
    long Length { get; }

    /// <summary>Reads, and returns the number of octets: fewer than requested only at the end of the file.</summary>
    int Read(long position, Span<byte> destination);

    /// <summary>Writes all octets.</summary>
    void Write(long position, ReadOnlySpan<byte> octets);

    /// <summary>Truncates the file.</summary>
    void SetLength(long length);

    /// <summary>Flushes the file to disk.</summary>
    void Flush();
}

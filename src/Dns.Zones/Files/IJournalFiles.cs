using System.Diagnostics.CodeAnalysis;

namespace Dns.Zones;

/// <summary>
/// The part of a file system that journals, copies of zones and keys need, so that a test can cut files, fill the disk and have a flush
/// fail. Every fault is an <see cref="IOException"/>.
/// </summary>
public interface IJournalFiles
{
    /// <summary>Whether there is a file.</summary>
    bool Exists(string path);

    /// <summary>The names of the files in a directory; none if there is no directory.</summary>
    IReadOnlyList<string> List(string directory);

    /// <summary>Opens a file to read and write.</summary>
    /// <returns>False if there is none.</returns>
    bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file);

    /// <summary>Makes a file that did not exist, and its directory where that is missing.</summary>
    IJournalFile Create(string path);

    /// <summary>Gives a file another name, in the place of the file that has it. It has it after a power failure too.</summary>
    void Move(string from, string to);

    /// <summary>Deletes a file, if there is one. It is gone after a power failure too.</summary>
    void Delete(string path);
}

/// <summary>A file that is open.</summary>
public interface IJournalFile : IDisposable
{
    /// <summary>Its length in octets.</summary>
    long Length { get; }

    /// <summary>Reads.</summary>
    /// <returns>How many octets were read; fewer than there is room for at the end of the file alone.</returns>
    int Read(long position, Span<byte> destination);

    /// <summary>Writes all octets.</summary>
    void Write(long position, ReadOnlySpan<byte> octets);

    /// <summary>Cuts the file.</summary>
    void SetLength(long length);

    /// <summary>Waits until what was written is on disk.</summary>
    void Flush();
}

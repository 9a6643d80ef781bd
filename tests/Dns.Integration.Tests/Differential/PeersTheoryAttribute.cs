using System.Runtime.CompilerServices;
using Xunit;

namespace Dns.Integration.Tests;

/// <summary>
/// A theory that compares with all other servers; skipped, with their names, if one is not installed.
/// </summary>
internal sealed class PeersTheoryAttribute : TheoryAttribute
{
    public PeersTheoryAttribute([CallerFilePath] string? file = null,
        [CallerLineNumber] int line = -1) : base(file, line)
    {
        string[] missing = [.. PeerKind.All.Append(PeerKind.Resolver).Where(kind => !File.Exists(kind.Program))
            .Select(kind => kind.Program)];
        if (missing.Length > 0) Skip = $"not installed: {string.Join(", ", missing)}";
    }
}

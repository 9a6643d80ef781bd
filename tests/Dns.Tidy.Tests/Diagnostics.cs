using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>Fails a test with every offender at once, one a line.</summary>
internal static class Diagnostics
{
    public static void None(IEnumerable<string> offenders, string rule)
    {
        List<string> found = [.. offenders];
        if (found.Count > 0)
        {
            Assert.Fail($"{rule}\n  {string.Join("\n  ", found)}\n({found.Count} in all)");
        }
    }
}

using System.Runtime.CompilerServices;

namespace Dns.Integration.Tests;

/// <summary>A fact that needs an installed program, and is skipped otherwise.</summary>
public sealed class ToolFactAttribute : FactAttribute
{
    public ToolFactAttribute(string tool, [CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        string[] folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        if (!folders.Any(folder => File.Exists(Path.Combine(folder, tool)))) Skip = $"{tool} is not installed";
    }
}

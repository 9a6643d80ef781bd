using System.Runtime.CompilerServices;

namespace Dns.Integration.Tests;

/// <summary>A fact that needs a program of the machine, and is skipped where there is none.</summary>
public sealed class ToolFactAttribute : FactAttribute
{
    public ToolFactAttribute(string tool, [CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        string[] folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        if (!folders.Any(folder => File.Exists(Path.Combine(folder, tool)))) Skip = $"{tool} is not installed";
    }
}

using System.Runtime.CompilerServices;
using Xunit;

namespace Dns.Testing;

/// <summary>A fact about Linux: signals, Unix sockets, namespaces or its file systems; skipped elsewhere.</summary>
public sealed class LinuxFactAttribute : FactAttribute
{
    /// <summary>The place of the test comes from the compiler.</summary>
    public LinuxFactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        if (!OperatingSystem.IsLinux()) Skip = "only Linux has it";
    }

    /// <summary>Whether it gives files to other users; skipped for a user who may not.</summary>
    public bool NeedsRoot
    {
        get;
        set
        {
            field = value;
            if (value && !Environment.IsPrivilegedProcess) Skip ??= "only root may do it";
        }
    }
}

/// <summary>The same for a theory.</summary>
public sealed class LinuxTheoryAttribute : TheoryAttribute
{
    /// <inheritdoc cref="LinuxFactAttribute(string, int)"/>
    public LinuxTheoryAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        if (!OperatingSystem.IsLinux()) Skip = "only Linux has it";
    }
}

namespace Dns.Server.Tests;

/// <summary>A fact about Linux: signals, Unix sockets or its file systems.</summary>
public sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute()
    {
        if (!OperatingSystem.IsLinux()) Skip = "only Linux has it";
    }
}

/// <summary>A theory about Linux.</summary>
public sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute()
    {
        if (!OperatingSystem.IsLinux()) Skip = "only Linux has it";
    }
}

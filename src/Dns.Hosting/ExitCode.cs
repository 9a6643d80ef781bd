namespace Dns.Hosting;

/// <summary>Exit codes of the program.</summary>
public static class ExitCode
{
    public const int Good = 0;

    /// <summary>The checked or requested thing is bad, or the server cannot start.</summary>
    public const int Bad = 1;

    /// <summary>The command line is malformed.</summary>
    public const int Usage = 2;

    /// <summary>An import was written, but something in it blocks the move.</summary>
    public const int Blocked = 3;
}

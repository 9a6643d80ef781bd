namespace Dns.Hosting;

/// <summary>What the program ends with.</summary>
internal static class ExitCode
{
    /// <summary>All is well.</summary>
    public const int Good = 0;

    /// <summary>What was checked or asked for is bad, or the server cannot start.</summary>
    public const int Bad = 1;

    /// <summary>The command line is malformed.</summary>
    public const int Usage = 2;

    /// <summary>An import was written, and something in it blocks the move.</summary>
    public const int Blocked = 3;
}

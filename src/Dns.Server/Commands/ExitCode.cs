namespace Dns.Server;

/// <summary>What the program ends with.</summary>
internal static class ExitCode
{
    /// <summary>All is well.</summary>
    public const int Good = 0;

    /// <summary>What was checked or asked for is bad, or the server cannot start.</summary>
    public const int Bad = 1;

    /// <summary>The command line is malformed.</summary>
    public const int Usage = 2;
}

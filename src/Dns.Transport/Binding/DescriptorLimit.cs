namespace Dns.Transport.Binding;

/// <summary>
/// Keeps TCP connections below the process's limit on open files. The listeners survive that limit, but the runtime
/// opens files at any time and may not.
/// </summary>
public static class DescriptorLimit
{
    private const int Reserve = 256;

    /// <summary>The limit on open files; null if unknown.</summary>
    public static ulong? Files =>
        OperatingSystem.IsLinux() && LinuxSocketCalls.TryReadDescriptorLimit(out ulong descriptors)
            ? descriptors : null;

    /// <summary>The number of connections that the limit permits.</summary>
    internal static int Afford(int configured, ulong descriptors)
    {
        ulong affordable = descriptors < 2 * Reserve ? descriptors / 2 : descriptors - Reserve;
        return (int)Math.Min((ulong)Math.Max(configured, 1), Math.Max(affordable, 1));
    }

    /// <summary>Lowers the limits to what the limit on open files permits.</summary>
    /// <param name="others">File descriptors reserved for other parts of the process.</param>
    internal static TcpLimits Apply(TcpLimits limits, int others = 0) => Files is not { } descriptors ? limits
        : limits with
        {
            MaxConnections = Afford(limits.MaxConnections, descriptors - Math.Min(descriptors, (ulong)others)),
        };

    /// <summary>A warning if limits were lowered; else null.</summary>
    internal static string? Explain(TcpLimits asked, TcpLimits applied) =>
        applied.MaxConnections >= asked.MaxConnections ? null
            : $"TCP connections are limited to {applied.MaxConnections} instead of {asked.MaxConnections}: "
                + $"the process may open {Files} files";
}

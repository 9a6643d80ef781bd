namespace Dns.Transport;

/// <summary>
/// Keeps TCP connections below the process's limit on open files. Reaching that limit is survived, but the
/// runtime loads code and opens files at any time and may not survive it.
/// </summary>
internal static class DescriptorLimit
{
    private const int Reserve = 256;

    /// <summary>The connections that the process can afford of those wished.</summary>
    /// <param name="wished">The operator's limit.</param>
    /// <param name="descriptors">Files the process may open.</param>
    public static int Afford(int wished, ulong descriptors)
    {
        ulong affordable = descriptors < 2 * Reserve ? descriptors / 2 : descriptors - Reserve;
        return (int)Math.Min((ulong)Math.Max(wished, 1), Math.Max(affordable, 1));
    }

    /// <summary>The limits that the process can afford.</summary>
    /// <param name="limits">The operator's.</param>
    /// <param name="note">What was lowered, else null.</param>
    public static TcpLimits Apply(TcpLimits limits, out string? note)
    {
        note = null;
        if (!OperatingSystem.IsLinux() || !LinuxSocketCalls.TryReadDescriptorLimit(out ulong descriptors))
        {
            return limits;
        }

        int most = Afford(limits.MaxConnections, descriptors);
        if (most < limits.MaxConnections)
        {
            note = $"TCP connections are limited to {most} instead of {limits.MaxConnections}: "
                + $"the process may open {descriptors} files";
        }

        return limits with { MaxConnections = most };
    }
}

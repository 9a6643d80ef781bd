namespace Dns.Transport;

/// <summary>
/// Keeps TCP connections below the process's limit on open files. Reaching that limit is survived, but the
/// runtime loads code and opens files at any time and may not survive it.
/// </summary>
public static class DescriptorLimit
{
    private const int Reserve = 256;

    /// <summary>How many files the process may open; null where that is not known.</summary>
    public static ulong? Files =>
        OperatingSystem.IsLinux() && LinuxSocketCalls.TryReadDescriptorLimit(out ulong descriptors) ? descriptors : null;

    /// <summary>The connections that the process can afford of those wished.</summary>
    /// <param name="wished">The operator's limit.</param>
    /// <param name="descriptors">Files the process may open.</param>
    internal static int Afford(int wished, ulong descriptors)
    {
        ulong affordable = descriptors < 2 * Reserve ? descriptors / 2 : descriptors - Reserve;
        return (int)Math.Min((ulong)Math.Max(wished, 1), Math.Max(affordable, 1));
    }

    /// <summary>The limits that the process can afford.</summary>
    /// <param name="limits">The operator's.</param>
    /// <param name="note">What was lowered, else null.</param>
    /// <param name="others">Files that other parts of the process may have open.</param>
    internal static TcpLimits Apply(TcpLimits limits, out string? note, int others = 0)
    {
        note = null;
        if (Files is not { } descriptors)
        {
            return limits;
        }

        int most = Afford(limits.MaxConnections, descriptors - Math.Min(descriptors, (ulong)others));
        if (most < limits.MaxConnections)
        {
            note = $"TCP connections are limited to {most} instead of {limits.MaxConnections}: "
                + $"the process may open {descriptors} files";
        }

        return limits with { MaxConnections = most };
    }
}

namespace Dns.Protocol;

/// <summary>Where and when a message came in: what its answer depends on beside its octets. Copied freely.</summary>
/// <param name="client">Who sent it.</param>
/// <param name="transport">How it came.</param>
/// <param name="now">
/// When it had arrived, as a timestamp of the transport's <see cref="TimeProvider"/>. Nothing that answers reads a
/// clock.
/// </param>
public struct QueryOrigin(in ClientAddress client, DnsTransport transport, long now)
{
    /// <summary>Who sent it. A field, because addresses are read in place.</summary>
    public ClientAddress Client = client;

    /// <summary>How it came.</summary>
    public readonly DnsTransport Transport { get; } = transport;

    /// <summary>When it had arrived, as a timestamp of the transport's <see cref="TimeProvider"/>.</summary>
    public readonly long Now { get; } = now;
}

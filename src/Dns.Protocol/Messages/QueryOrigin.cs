namespace Dns.Protocol.Messages;

/// <summary>Origin and time of a message, on which its answer depends. Copied freely.</summary>
public struct QueryOrigin(in ClientAddress client, DnsTransport transport, long now)
{
    /// <summary>The client. A field, because addresses are read in place.</summary>
    public ClientAddress Client = client;

    /// <summary>The transport.</summary>
    public readonly DnsTransport Transport { get; } = transport;

    /// <summary>Time of receipt, of the transport's <see cref="TimeProvider"/>. Responders read no clock.</summary>
    public readonly long Now { get; } = now;
}

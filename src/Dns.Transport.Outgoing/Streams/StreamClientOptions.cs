namespace Dns.Transport.Outgoing.Streams;

/// <summary>Timeouts and limits of a <see cref="StreamClient"/>.</summary>
public sealed record StreamClientOptions
{
    /// <summary>Timeout to connect.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Timeout for the server to accept some octets of a message.</summary>
    public TimeSpan SendTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Timeout for the server to send <see cref="LeastOctets"/>; only time spent in receives counts.</summary>
    public TimeSpan SilenceTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The octets within <see cref="SilenceTimeout"/> that reset it, at least 1.</summary>
    public int LeastOctets { get; init; } = 1;

    /// <summary>Timeout for a message to complete after its first octet.</summary>
    public TimeSpan MessageTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The maximum length of a message, 12 to 65,535 octets.</summary>
    public int MaxMessageOctets { get; init; } = ushort.MaxValue;
}

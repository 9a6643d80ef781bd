namespace Dns.Transport.Outgoing;

/// <summary>What a <see cref="StreamClient"/> waits for, and how long.</summary>
public sealed record StreamClientOptions
{
    /// <summary>To connect.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For the server to take some octets of a message.</summary>
    public TimeSpan SendTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For the server to send <see cref="LeastOctets"/> while messages are waited for; other time does not count.</summary>
    public TimeSpan SilenceTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>What a server that is not silent sends within <see cref="SilenceTimeout"/>, 1 or more octets.</summary>
    public int LeastOctets { get; init; } = 1;

    /// <summary>For a message to be whole after its first octet, however it trickles in.</summary>
    public TimeSpan MessageTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The longest message taken, 12 to 65,535 octets.</summary>
    public int MaxMessageOctets { get; init; } = ushort.MaxValue;
}

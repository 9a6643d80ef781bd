namespace Dns.Transport;

/// <summary>Where a connection has the buffers from that it holds while it waits.</summary>
internal interface IStreamBuffers
{
    /// <summary>Rents one of at least so many octets. Null when there is no room for it. Thread-safe.</summary>
    byte[]? TryRent(int octets);

    /// <summary>Takes one back.</summary>
    void Return(byte[] buffer);
}

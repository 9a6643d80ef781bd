namespace Dns.Transport.Tcp;

/// <summary>Rents the buffers that a connection holds while it waits.</summary>
internal interface IStreamBuffers
{
    /// <summary>Rents a buffer of at least this size. Null if memory is short. Thread-safe.</summary>
    byte[]? TryRent(int octets);

    void Return(byte[] buffer);
}

namespace Dns.Management;

/// <summary>Takes connections of those who control the server.</summary>
internal interface IControlListener : IDisposable
{
    /// <summary>Waits for the next one.</summary>
    /// <exception cref="IOException">This one could not be taken; the next may be.</exception>
    Task<Stream> AcceptAsync(CancellationToken cancellation);
}

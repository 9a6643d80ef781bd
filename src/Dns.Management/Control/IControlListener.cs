namespace Dns.Management;

/// <summary>Accepts connections of the control socket.</summary>
internal interface IControlListener : IDisposable
{
    /// <summary>Waits for the next one.</summary>
    /// <exception cref="IOException">Accepting failed; retry.</exception>
    Task<Stream> AcceptAsync(CancellationToken cancellation);
}

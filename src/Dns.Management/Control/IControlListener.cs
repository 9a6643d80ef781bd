namespace Dns.Management.Control;

/// <summary>Accepts connections of the control socket.</summary>
public interface IControlListener : IDisposable
{
    /// <exception cref="IOException">Accepting failed; retry.</exception>
    Task<Stream> AcceptAsync(CancellationToken cancellation);
}

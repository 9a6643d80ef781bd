using System.IO.Pipes;

namespace Dns.Management.Control;

/// <summary>A named pipe of Windows, for the server's user.</summary>
public sealed class PipeControlListener(string name) : IControlListener
{
    public async Task<Stream> AcceptAsync(CancellationToken cancellation)
    {
        NamedPipeServerStream pipe = new(
            name, PipeDirection.InOut, NamedPipeServerStream.MaxAllowedServerInstances, PipeTransmissionMode.Byte,
            PipeOptions.Asynchronous | PipeOptions.CurrentUserOnly);
        try
        {
            await pipe.WaitForConnectionAsync(cancellation).ConfigureAwait(false);
            return pipe;
        }
        catch
        {
            await pipe.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public void Dispose()
    {
    }
}

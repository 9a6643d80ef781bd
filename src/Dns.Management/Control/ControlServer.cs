using System.Buffers;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Management.Control;

/// <summary>Serves the control socket: a line of JSON each way; clients, time and octets are limited.</summary>
public sealed class ControlServer(
    ControlOptions options, ListenerSet listeners, ControlDispatcher commands, TimeProvider clock,
    IExceptionSink exceptions, ILogger<ControlServer> logger, Func<string, IControlListener>? bind = null)
    : IHostedService, IDisposable
{
    private const int FirstOctets = 4096;

    /// <summary>Maximum concurrent clients; others wait.</summary>
    private const int MaxClients = 32;

    /// <summary>The timeout for receiving a request, and for sending the answer.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _slots = new(MaxClients, MaxClients);
    private volatile IControlListener? _listener;

    /// <summary>The connection that requested the stop: it waits for the end of the process, which closes it.</summary>
    private Stream? _stopRequester;

    private Task _accepting = Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (options.Socket is null) return Task.CompletedTask;
        string? path =
            options.Socket == ControlOptions.Automatic ? ControlPaths.Choose(listeners.EndPoints) : options.Socket;
        if (path is null)
        {
            logger.NoControlSocket();
            return Task.CompletedTask;
        }
        if (options.Socket == ControlOptions.Automatic) ControlPaths.DropDead();
        _accepting = ListenAsync(path);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        _listener?.Dispose();
        await _accepting.ConfigureAwait(false);
    }

    public void Dispose()
    {
        _stopping.Dispose();
        _slots.Dispose();
    }

    /// <summary>Waits for the socket while another server has it: a replaced one keeps it to its end.</summary>
    private async Task ListenAsync(string path)
    {
        bool isReported = false;
        while (_listener is null)
        {
            try
            {
                _listener = bind is not null ? bind(path)
                    : OperatingSystem.IsWindows() ? new PipeControlListener(path) : UnixControlListener.Bind(path);
            }
            catch (IOException error)
            {
                if (!isReported) logger.ControlSocketTaken(path, error.Message);
                isReported = true;
                await Task.Delay(Pause, clock, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (_stopping.IsCancellationRequested) return;
            }
            catch (Exception error)
            {
                exceptions.Report(ManagementLoops.ControlAccept, error, default);
                await Task.Delay(Pause, clock, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (_stopping.IsCancellationRequested) return;
            }
        }
        logger.ControlSocket(path);
        await AcceptAsync(_listener).ConfigureAwait(false);
    }

    private async Task AcceptAsync(IControlListener listener)
    {
        while (true)
        {
            bool hasSlot = false;
            try
            {
                await _slots.WaitAsync(_stopping.Token).ConfigureAwait(false);
                hasSlot = true;
                Stream client = await listener.AcceptAsync(_stopping.Token).ConfigureAwait(false);
                _ = ServeAsync(client);
            }
            catch (Exception) when (_stopping.IsCancellationRequested)
            {
                return;
            }
            catch (Exception error)
            {
                if (hasSlot) _slots.Release();
                if (error is IOException) logger.ControlConnectionFailed(error.Message);
                else exceptions.Report(ManagementLoops.ControlAccept, error, default);
                await Task.Delay(TimeSpan.FromMilliseconds(100), clock, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private async Task ServeAsync(Stream client)
    {
        bool isKept = false;
        try
        {
            // Some clients only check whether a server is listening.
            if (await ReadAsync(client).ConfigureAwait(false) is not { } line) return;
            ControlCall? call = null;
            ControlReply reply = Parse(line) is { } request
                ? await Task.Run(() => commands.Answer(call = new ControlCall(request, _stopping.Token)))
                    .ConfigureAwait(false)
                : new ControlReply
                    { Error = $"a request is one line of JSON of at most {ControlRequest.MaxOctets} octets" };
            byte[] answer = [.. JsonSerializer.SerializeToUtf8Bytes(reply, ControlJson.Default.ControlReply),
                (byte)'\n'];
            using CancellationTokenSource deadline = Deadline();
            await client.WriteAsync(answer, deadline.Token).ConfigureAwait(false);
            if (call?.Afterwards is not { } stop) return;
            isKept = Interlocked.CompareExchange(ref _stopRequester, client, null) is null;
            stop();
        }
        catch (Exception error) when (error is IOException or OperationCanceledException or ObjectDisposedException)
        {
            // The client is gone, or too slow.
            logger.ControlClientGone(error.Message);
        }
        catch (Exception error)
        {
            exceptions.Report(ManagementLoops.ControlConnection, error, default);
        }
        finally
        {
            if (!isKept) await client.DisposeAsync().ConfigureAwait(false);
            // After the end no connection waits for a slot.
            if (!_stopping.IsCancellationRequested) _slots.Release();
        }
    }

    /// <summary>Reads a line, without its end; empty if too long or incomplete, null if nothing was sent.</summary>
    private async Task<byte[]?> ReadAsync(Stream client)
    {
        // Nearly all are short.
        byte[] line = ArrayPool<byte>.Shared.Rent(FirstOctets);
        try
        {
            using CancellationTokenSource deadline = Deadline();
            int octets = 0;
            while (octets < ControlRequest.MaxOctets)
            {
                if (octets == line.Length)
                {
                    byte[] longer = ArrayPool<byte>.Shared.Rent(Math.Min(2 * octets, ControlRequest.MaxOctets));
                    line.AsSpan(0, octets).CopyTo(longer);
                    ArrayPool<byte>.Shared.Return(line);
                    line = longer;
                }
                Memory<byte> room = line.AsMemory(octets, Math.Min(line.Length, ControlRequest.MaxOctets) - octets);
                int read = await client.ReadAsync(room, deadline.Token).ConfigureAwait(false);
                if (read == 0) return octets == 0 ? null : [];
                int end = room.Span[..read].IndexOf((byte)'\n');
                if (end >= 0) return line[..(octets + end)];
                octets += read;
            }
            return [];
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(line);
        }
    }

    private static ControlRequest? Parse(byte[] line)
    {
        try
        {
            ControlRequest? request = JsonSerializer.Deserialize(line, ControlJson.Default.ControlRequest);
            return request is { Command: not null, Arguments: not null } ? request : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private CancellationTokenSource Deadline()
    {
        var deadline = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        deadline.CancelAfter(MaxWait);
        return deadline;
    }
}

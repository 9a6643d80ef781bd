using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Dns.Integration.Tests.Listeners;

/// <summary>
/// A listener that Kestrel hosts, as another project would write it: the body of a request is a message, that of the
/// response its reply, each message behind its length.
/// </summary>
internal sealed class HostedListener : IListener, IHttpApplication<HttpContext>
{
    private readonly Socket _socket;
    private readonly ListenerHost _host;
    private readonly KestrelServer _server;
    private IMessageResponder? _responder;
    private Task _starting = Task.CompletedTask;

    private HostedListener(Socket socket, ListenerAddress address, ListenerHost host)
    {
        _socket = socket;
        _host = host;
        Address = address with { EndPoint = (IPEndPoint)socket.LocalEndPoint! };
        KestrelServerOptions options = new();
        options.Listen(Address.EndPoint, listen =>
        {
            listen.Protocols = HttpProtocols.Http1;
            listen.Use(next => connection => ServeAsync(connection, next));
        });
        SocketTransportOptions transport = new() { CreateBoundListenSocket = _ => socket };
        SocketTransportFactory sockets = new(Options.Create(transport), NullLoggerFactory.Instance);
        _server = new(Options.Create(options), sockets, NullLoggerFactory.Instance);
    }

    public ListenerAddress Address { get; }

    public IEnumerable<SafeHandle> Handles => [_socket.SafeHandle];

    public void Start(IMessageResponder responder)
    {
        _responder = responder;
        _starting = _server.StartAsync(this, CancellationToken.None);
    }

    public void StopAccepting() => _socket.Dispose();

    public async Task StopAsync(TimeSpan grace)
    {
        using CancellationTokenSource end = new(grace);
        await _starting;
        await _server.StopAsync(end.Token);
        _server.Dispose();
        _socket.Dispose();
    }

    public HttpContext CreateContext(IFeatureCollection features) => new DefaultHttpContext(features);

    public void DisposeContext(HttpContext context, Exception? exception)
    {
    }

    public async Task ProcessRequestAsync(HttpContext context)
    {
        byte[] room = ArrayPool<byte>.Shared.Rent(ushort.MaxValue);
        MessageExchange exchange = new(_responder!, _host);
        HostedConnection connection = context.Features.GetRequiredFeature<HostedConnection>();
        int sent = 0;
        connection.TryBegin();
        await using CancellationTokenRegistration gone = context.RequestAborted.Register(exchange.Cancel);
        try
        {
            int query = await context.Request.Body.ReadAtLeastAsync(room, ushort.MaxValue, throwOnEndOfStream: false);
            ClientAddress client = ClientAddress.From(
                new IPEndPoint(context.Connection.RemoteIpAddress!, context.Connection.RemotePort));
            QueryOrigin origin = new(in client, DnsTransport.Https, _host.Options.Clock.GetTimestamp());
            int octets = await exchange.RespondAsync(room, query, origin);
            for (; octets > 0; octets = await exchange.NextAsync(room))
            {
                byte[] length = new byte[2];
                BinaryPrimitives.WriteUInt16BigEndian(length, (ushort)octets);
                await context.Response.Body.WriteAsync(length);
                await context.Response.Body.WriteAsync(room.AsMemory(0, octets));
                sent++;
            }
            if (octets == MessageExchange.Failed) context.Abort();
        }
        finally
        {
            exchange.Reset();
            connection.TryEnd(sent);
            ArrayPool<byte>.Shared.Return(room);
        }
    }

    /// <summary>A connection, within the limits of all connections.</summary>
    private async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        ClientAddress client = ClientAddress.From((IPEndPoint)connection.RemoteEndPoint!);
        using HostedConnection? admitted = _host.TryAdmit(client, connection.Abort);
        connection.Features.Set(admitted);
        if (admitted is null) connection.Abort();
        else await next(connection);
    }

    /// <summary>The factory.</summary>
    internal sealed class Factory : IListenerFactory
    {
        public IListener? TryBind(ListenerAddress address, ListenerHost host, out BindFailure? failure) =>
            host.TryBindSocket(address, out failure) is { } socket
                ? new HostedListener(socket, address, host) : null;
    }
}

using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace Dns.Management.Admin;

/// <summary>
/// Limits the connections of the admin port, in total and of one address. A new one beyond a limit closes the
/// connection without a request for longest, of its own address first; else the one with the oldest request.
/// </summary>
/// <remarks>
/// Silent and slow connections cannot exclude others. A closed one counts as accepted until the work for it ends, so
/// that this work is bounded. Thread-safe.
/// </remarks>
public sealed class AdminConnections
{
    public const int Most = 32;

    public const int MaxPerAddress = 12;

    /// <summary>Connections that are accepted and for which work has not ended, closed ones included.</summary>
    public const int MostAccepted = 2 * Most;

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _room = new(MostAccepted);
    private readonly List<Entry> _entries = [];
    private long _moves;

    /// <summary>Waits until one more connection may be accepted; it takes its place.</summary>
    public Task WaitForRoomAsync(CancellationToken stopping) => _room.WaitAsync(stopping);

    /// <summary>Gives back a place for which no connection was accepted.</summary>
    public void LeaveRoom() => _room.Release();

    /// <summary>The middleware between socket and web server. The connection leaves its place at the end.</summary>
    public ConnectionDelegate Around(ConnectionDelegate next) => async connection =>
    {
        Entry entry = new(connection, AddressOf(connection.RemoteEndPoint));
        connection.Features.Set(entry);
        ConnectionContext? victim;
        lock (_gate)
        {
            victim = FindVictim(entry.Address);
            if (victim is not null) _entries.RemoveAll(other => other.Connection == victim);
            entry.MovedAt = ++_moves;
            _entries.Add(entry);
        }
        victim?.Abort(new ConnectionAbortedException("another connection needed its place"));
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate) _entries.Remove(entry);
            LeaveRoom();
        }
    };

    /// <summary>A request has started or ended.</summary>
    public void Note(IFeatureCollection request, bool isBusy)
    {
        if (request.Get<Entry>() is not { } entry) return;
        lock (_gate) (entry.IsBusy, entry.MovedAt) = (isBusy, ++_moves);
    }

    private ConnectionContext? FindVictim(IPAddress? address)
    {
        bool isOfAddress = _entries.Count(entry => Equals(entry.Address, address)) >= MaxPerAddress;
        if (!isOfAddress && _entries.Count < Most) return null;
        return _entries.Where(entry => !isOfAddress || Equals(entry.Address, address))
            .OrderBy(entry => entry.IsBusy).ThenByDescending(entry => Equals(entry.Address, address))
            .ThenBy(entry => entry.MovedAt)
            .First().Connection;
    }

    private static IPAddress? AddressOf(EndPoint? client) => client is not IPEndPoint { Address: { } address } ? null
        : address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    private sealed class Entry(ConnectionContext connection, IPAddress? address)
    {
        public ConnectionContext Connection { get; } = connection;

        public IPAddress? Address { get; } = address;

        public bool IsBusy { get; set; }

        public long MovedAt { get; set; }
    }
}

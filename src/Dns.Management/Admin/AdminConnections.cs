using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace Dns.Management.Admin;

/// <summary>
/// Limits the connections of the admin port, in total and of one address. A new one beyond a limit closes the
/// connection without a request for longest, of its own address first; else the one with the oldest request.
/// </summary>
/// <remarks>Silent and slow connections cannot exclude others. Thread-safe.</remarks>
internal sealed class AdminConnections
{
    public const int Most = 32;

    public const int MaxPerAddress = 12;

    private readonly Lock _gate = new();
    private readonly List<Entry> _entries = [];
    private long _moves;

    /// <summary>The middleware between socket and web server.</summary>
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

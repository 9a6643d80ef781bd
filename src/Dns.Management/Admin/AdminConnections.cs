using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace Dns.Management;

/// <summary>
/// The connections of the admin port: few, and few of one address. A new one beyond either number has the connection closed
/// that has been without a request for longest, of its own address first; else the one whose request has begun first.
/// </summary>
/// <remarks>Connections that send nothing or do not read cannot exclude others. Thread-safe.</remarks>
internal sealed class AdminConnections
{
    /// <summary>Connections at once.</summary>
    public const int Most = 32;

    /// <summary>Connections at once of one address.</summary>
    public const int MostOfAddress = 12;

    private readonly Lock _gate = new();
    private readonly List<Entry> _entries = [];
    private long _moves;

    /// <summary>Stands between the socket and the web server.</summary>
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

    /// <summary>A request has begun, or has been answered.</summary>
    public void Note(IFeatureCollection request, bool isBusy)
    {
        if (request.Get<Entry>() is not { } entry) return;
        lock (_gate) (entry.IsBusy, entry.MovedAt) = (isBusy, ++_moves);
    }

    private ConnectionContext? FindVictim(IPAddress? address)
    {
        bool isOfAddress = _entries.Count(entry => Equals(entry.Address, address)) >= MostOfAddress;
        if (!isOfAddress && _entries.Count < Most) return null;
        return _entries.Where(entry => !isOfAddress || Equals(entry.Address, address))
            .OrderBy(entry => entry.IsBusy).ThenByDescending(entry => Equals(entry.Address, address)).ThenBy(entry => entry.MovedAt)
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

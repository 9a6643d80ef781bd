using System.Buffers;

namespace Dns.Replication.Update;

/// <summary>A queued update with its reply path. Answered exactly once.</summary>
/// <remarks>
/// It waits as the octets of its message: parsed, a record of 16 octets with compressed names may take 900 bytes.
/// </remarks>
public sealed class UpdateRequest
{
    private readonly byte[] _message;
    private readonly UpdateReply _reply;
    private ReplyPath _path;

    /// <param name="message">A message that was parsed without an error.</param>
    internal UpdateRequest(
        DomainName zone, byte[] message, UpdateReply reply, in ClientAddress client, DomainName? key)
    {
        (Zone, _message, _reply, Client, Key) = (zone, message, reply, client.ToString(), key);
        Account = UpdateAccount.Of(in client, key);
    }

    internal DomainName Zone { get; }

    internal string Client { get; }

    /// <summary>The TSIG key; null = unsigned.</summary>
    internal DomainName? Key { get; }

    /// <summary>To whom room and turns are counted.</summary>
    internal UpdateAccount Account { get; }

    /// <summary>Length of the message.</summary>
    internal int Octets => _message.Length;

    /// <summary>Parses the message, again with each call.</summary>
    internal Rcode Read(out UpdateMessage? message) => UpdateMessage.Read(_message, Zone, out message);

    internal void Take(ReplyPath path) => _path = path;

    internal void Answer(Rcode rcode)
    {
        byte[] room = ArrayPool<byte>.Shared.Rent(2048);
        try
        {
            // A void path has no room.
            int octets = _path.RoomOctets > 0 ? Math.Min(room.Length, _path.RoomOctets) : room.Length;
            using (_reply) _path.Send(room.AsSpan(0, _reply.Write(room.AsSpan(0, octets), rcode)));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(room);
        }
    }
}

/// <summary>
/// A client of updates: a key from any address, or without one a network (<see cref="ClientNetwork"/>).
/// </summary>
internal readonly record struct UpdateAccount(DomainName? Key, UInt128 Network)
{
    internal static UpdateAccount Of(in ClientAddress client, DomainName? key) =>
        new(key, key is null ? ClientNetwork.Of(client) : 0);
}

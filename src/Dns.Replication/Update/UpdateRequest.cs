using System.Buffers;

namespace Dns.Replication.Update;

/// <summary>A queued update with its reply path. Answered exactly once.</summary>
public sealed class UpdateRequest
{
    private readonly UpdateReply _reply;
    private ReplyPath _path;

    internal UpdateRequest(UpdateMessage message, UpdateReply reply, ClientAddress client, DomainName? key, int octets)
    {
        (Message, _reply, Client, Key, Octets) = (message, reply, client.ToString(), key, octets);
        Account = new UpdateAccount(key, key is null ? ClientNetwork.Of(client) : 0);
    }

    internal UpdateMessage Message { get; }

    internal string Client { get; }

    /// <summary>The TSIG key; null = unsigned.</summary>
    internal DomainName? Key { get; }

    /// <summary>To whom room and turns are counted.</summary>
    internal UpdateAccount Account { get; }

    /// <summary>Length of the message.</summary>
    internal int Octets { get; }

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
internal readonly record struct UpdateAccount(DomainName? Key, UInt128 Network);

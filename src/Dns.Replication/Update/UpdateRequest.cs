using System.Buffers;
using Dns.Protocol;

namespace Dns.Replication;

/// <summary>An update that waits for its turn, and the way back to who asked. Answered exactly once.</summary>
public sealed class UpdateRequest
{
    private readonly UpdateReply _reply;
    private ReplyPath _path;

    internal UpdateRequest(UpdateMessage message, UpdateReply reply, string client, DomainName? key, int octets) =>
        (Message, _reply, Client, Key, Octets) = (message, reply, client, key, octets);

    /// <summary>What is asked.</summary>
    internal UpdateMessage Message { get; }

    /// <summary>Who asks.</summary>
    internal string Client { get; }

    /// <summary>The key that the message was signed with; null if it was not.</summary>
    internal DomainName? Key { get; }

    /// <summary>Length of the message.</summary>
    internal int Octets { get; }

    /// <summary>Where the answer goes.</summary>
    internal void Take(ReplyPath path) => _path = path;

    /// <summary>Sends the answer.</summary>
    internal void Answer(Rcode rcode)
    {
        byte[] room = ArrayPool<byte>.Shared.Rent(2048);
        try
        {
            // A path that leads nowhere has no room.
            int octets = _path.RoomOctets > 0 ? Math.Min(room.Length, _path.RoomOctets) : room.Length;
            using (_reply) _path.Send(room.AsSpan(0, _reply.Write(room.AsSpan(0, octets), rcode)));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(room);
        }
    }
}

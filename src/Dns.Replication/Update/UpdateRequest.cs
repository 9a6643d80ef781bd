using System.Buffers;

namespace Dns.Replication.Update;

/// <summary>A queued update with its reply path. Answered exactly once.</summary>
/// <remarks>
/// It waits as the octets of its message: parsed, a record of 16 octets with compressed names may take 900 bytes.
/// </remarks>
public sealed class UpdateRequest
{
    private readonly UpdateReply _reply;
    private ReplyPath _path;

    /// <param name="message">A message that was parsed without an error.</param>
    internal UpdateRequest(
        DomainName zone, byte[] message, UpdateReply reply, in ClientAddress client, DomainName? key,
        UpdateOptions limits)
    {
        _reply = reply;
        ZoneAuthor author = new(ZoneWriteOrigin.Update, client.ToString(), key?.ToString());
        Waiting = new Queued(this, zone, message, UpdateAccount.Of(in client, key), author, limits);
    }

    /// <summary>Its place in the queue of its zone.</summary>
    internal QueuedWrite Waiting { get; }

    /// <summary>The back end of its zone; null = the zone is of a file.</summary>
    internal IZoneWriter? Writer { get; init; }

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

    private sealed class Queued(
        UpdateRequest request, DomainName zone, byte[] message, UpdateAccount account, ZoneAuthor author,
        UpdateOptions limits) : QueuedWrite(account, message.Length)
    {
        private readonly UpdateWrite _write = new(zone, author, message, limits);

        internal override ZoneWrite Write => _write;

        internal override long WorkOctets => _write.Octets;

        internal override ZoneDelta? Delta => _write.Delta;

        internal override void Complete(ZoneWriteResult result, UpdateCounters counters)
        {
            Rcode rcode = RcodeOf(result);
            counters.Count(rcode switch
            {
                Rcode.NoError => result.IsChanged ? UpdateResult.Applied : UpdateResult.Unchanged,
                Rcode.Refused => UpdateResult.Refused,
                Rcode.ServFail => UpdateResult.Failed,
                Rcode.FormErr or Rcode.NotZone => UpdateResult.Malformed,
                _ => UpdateResult.Prerequisite,
            });
            request.Answer(rcode);
        }

        private Rcode RcodeOf(ZoneWriteResult result) => result.Faults is not [var fault, ..] ? Rcode.NoError
            : fault.Kind switch
            {
                ZoneWriteFaultKind.Prerequisite => _write.Rcode,
                ZoneWriteFaultKind.NoZone or ZoneWriteFaultKind.NotSigned or ZoneWriteFaultKind.NotStored
                    or ZoneWriteFaultKind.Overloaded or ZoneWriteFaultKind.Crashed => Rcode.ServFail,
                _ => Rcode.Refused,
            };
    }
}

/// <summary>The change that an UPDATE message makes (RFC 2136 §3.2, §3.4).</summary>
internal sealed class UpdateWrite(DomainName zone, ZoneAuthor author, byte[] message, UpdateOptions limits)
    : ZoneWrite(zone, author)
{
    /// <summary>The RCODE of the last evaluation, if it was not refused.</summary>
    internal Rcode Rcode { get; private set; }

    /// <summary>The size of its work, see <see cref="UpdateChange"/>.</summary>
    internal long Octets { get; private set; }

    /// <summary>The change of the last evaluation.</summary>
    internal ZoneDelta? Delta { get; private set; }

    public override ZoneProposal Propose(Zone? now)
    {
        if (now is null) return new() { Fault = new ZoneWriteFault(ZoneWriteFaultKind.NoZone) };
        UpdateChange change = default;
        Rcode = UpdateMessage.Read(message, Zone, out UpdateMessage? update);
        if (update is not null) Rcode = UpdateEvaluation.Evaluate(now, update, limits, out change);
        (Octets, Delta) = (change.Octets, change.Delta);
        ZoneWriteFault? fault = change.Fault
            ?? (Rcode == Rcode.NoError ? null : new ZoneWriteFault(ZoneWriteFaultKind.Prerequisite));
        return new ZoneProposal { Delta = change.Delta, Fault = fault };
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

namespace Dns.Replication.Update;

/// <summary>
/// Handles UPDATE messages (RFC 2136, RFC 3007): checks access before the message is parsed completely; permitted ones
/// are queued for the writer of their zone, or passed to its back end. Thread-safe; never waits or throws.
/// </summary>
/// <param name="allowed">The update policy of a zone.</param>
public sealed class DynamicUpdates(DynamicZones zones, TimeProvider time, Func<ZoneSlot, UpdatePolicy> allowed)
{
    private volatile TsigKeyRing _keys = TsigKeyRing.Empty;

    /// <summary>The known keys; may be replaced at any time.</summary>
    public TsigKeyRing Keys
    {
        get => _keys;
        set => _keys = value;
    }

    /// <summary>Answers a message, or makes a request to be queued.</summary>
    /// <param name="room">Starts with the message; all of it may be written by the reply, at least 512 octets.</param>
    /// <param name="served">The zones published at the time of receipt.</param>
    /// <param name="request">The request for <see cref="Queue"/>; null if the message was answered.</param>
    /// <returns>Length of the reply; 0 if there is a request.</returns>
    public int Receive(Span<byte> room, int octets, ref QueryOrigin origin, ZoneSet served, out UpdateRequest? request)
    {
        request = null;
        ReadOnlySpan<byte> message = room[..octets];
        if (!UpdateMessage.TryReadZone(message, out DomainName? name, out RRClass rrClass)) return WriteMalformed(room);
        TsigRequest signature = TsigRequest.Accept(message, _keys, time.GetUtcNow().ToUnixTimeSeconds());
        if (signature.Rcode == Rcode.FormErr) return WriteMalformed(room);
        UpdateReply reply = new(message, in signature, origin.Transport.IsReliable, time);
        Rcode rcode = Evaluate(message, ref origin, signature, reply, name, rrClass, served, out UpdateMessage? update);
        if (rcode == Rcode.NoError)
        {
            request = new UpdateRequest(
                update!.Zone, message.ToArray(), reply, in origin.Client, signature.Key?.Name, zones.Options)
            {
                Writer = BackEndOf(served.FindExact(name)!),
            };
            return 0;
        }
        zones.Counters.Count(ResultOf(rcode));
        using (reply) return reply.Write(room, rcode);
    }

    /// <summary>Queues a request, or answers it at once if the queue is full.</summary>
    public void Queue(UpdateRequest request, ReplyPath path)
    {
        request.Take(path);
        if (request.Writer is { } writer ? zones.TryWrite(request.Waiting, writer) : zones.TryQueue(request.Waiting))
            return;
        zones.Counters.Count(UpdateResult.Overloaded);
        request.Answer(Rcode.ServFail);
    }

    private Rcode Evaluate(
        ReadOnlySpan<byte> message, ref QueryOrigin origin, in TsigRequest signature, UpdateReply reply,
        DomainName name, RRClass rrClass, ZoneSet served, out UpdateMessage? update)
    {
        update = null;
        if (signature.Rcode != Rcode.NoError)
        {
            Refuse(name, ref origin, signature.Key, ZoneWriteFaultKind.BadSignature);
            return signature.Rcode;
        }
        if (reply.EdnsVersion > 0) return Rcode.BadVers;
        if (rrClass != RRClass.IN || served.FindExact(name) is not { } slot) return Rcode.NotAuth;
        UpdatePolicy policy = allowed(slot);
        if (!policy.Admits(ref origin.Client, signature.Key))
        {
            return Refuse(name, ref origin, signature.Key,
                slot is IReplicatedZone ? ZoneWriteFaultKind.Secondary : ZoneWriteFaultKind.NotAllowed);
        }
        if (BackEndOf(slot) is null && zones.FindObstacle(slot) is { } obstacle)
            return Refuse(name, ref origin, signature.Key, obstacle);
        // Parsed, a message takes up to 60 times its octets, so that one which cannot be queued is not parsed.
        if (!zones.HasRoom(UpdateAccount.Of(in origin.Client, signature.Key?.Name), message.Length))
            return Rcode.ServFail;
        Rcode rcode = UpdateMessage.Read(message, slot.Name, out update);
        if (rcode != Rcode.NoError) return rcode;
        // Their results tell what the zone has.
        if (update!.Prerequisites.Count > 0 && !slot.Admits(ref origin.Client))
            return Refuse(name, ref origin, signature.Key, ZoneWriteFaultKind.QueryNotAllowed);
        foreach (UpdateRecord record in update.Updates)
        {
            if (slot.IsSignedHere && IsOfSigner(record.Type))
                return Refuse(name, ref origin, signature.Key, ZoneWriteFaultKind.MadeBySigner, record);
            if (policy.Admits(ref origin.Client, signature.Key, record.Owner.Octets, record.Type)) continue;
            return Refuse(name, ref origin, signature.Key, ZoneWriteFaultKind.RecordNotAllowed, record);
        }
        return Rcode.NoError;
    }

    /// <summary>What writes a zone that is not of a file; null for others.</summary>
    private IZoneWriter? BackEndOf(ZoneSlot slot) =>
        slot.Source?.Writer is { } writer && !ReferenceEquals(writer, zones) ? writer : null;

    // Made by signing, so that an update does not change them (RFC 3007 §4, which still names SIG and NXT). BIND takes
    // SIG records that cover several types for several RRsets, to which their one RRSIG does not fit, and so refuses
    // the zone as a mirror. DNSKEY, CDS and CDNSKEY may be those of another signer (RFC 8901).
    private static bool IsOfSigner(RRType type) =>
        type is RRType.RRSIG or RRType.NSEC or RRType.NSEC3 or RRType.NSEC3PARAM or RRType.ZONEMD
            or RRType.SIG or RRType.NXT;

    private Rcode Refuse(DomainName zone, ref QueryOrigin origin, TsigKey? key, ZoneWriteFaultKind kind,
        UpdateRecord? record = null)
    {
        zones.LogRefusal(
            zone, new ZoneAuthor(ZoneWriteOrigin.Update, origin.Client.ToString(), key?.Name.ToString()),
            new ZoneWriteFault(kind) { Owner = record?.Owner, Type = record?.Type ?? 0 });
        return Rcode.Refused;
    }

    private int WriteMalformed(Span<byte> room)
    {
        zones.Counters.Count(UpdateResult.Malformed);
        MessageHeader.SetFlags(room,
            (ushort)(MessageHeader.QueryResponse | (int)Opcode.Update << 11 | (int)Rcode.FormErr));
        room[4..MessageHeader.LengthOctets].Clear();
        return MessageHeader.LengthOctets;
    }

    private static UpdateResult ResultOf(Rcode rcode) => rcode switch
    {
        Rcode.Refused => UpdateResult.Refused,
        Rcode.NotAuth => UpdateResult.NotAuth,
        Rcode.ServFail => UpdateResult.Overloaded,
        _ => UpdateResult.Malformed,
    };
}

using System.Net;
using Dns.Testing;

namespace Dns.Answering.Tests;

/// <summary>Forwarded zones whose answers are written down beforehand.</summary>
internal sealed class ScriptedRelay : IForwardedZones, IReplyPaths
{
    private int _slot;
    private readonly List<DomainName> _zones = [];
    private readonly Dictionary<string, Entry> _known = [];

    private sealed record Entry(RelayedAnswer Answer, byte[] Records);

    /// <summary>Whether clients may recurse.</summary>
    internal bool IsOpen { get; set; } = true;

    /// <summary>Why nothing can be forwarded; null if it can.</summary>
    internal DeferralRefusal? Obstacle { get; set; }

    /// <summary>The question at which it throws.</summary>
    internal string? Broken { get; set; }

    /// <summary>The forwarded questions: NAME TYPE, and the flags.</summary>
    internal List<string> Asked { get; } = [];

    /// <summary>The cache lookups: whether each permits a prefetch.</summary>
    internal List<bool> MightAsk { get; } = [];

    /// <summary>The queries that wait.</summary>
    internal List<DeferredQuery> Waiting { get; } = [];

    internal ScriptedRelay Forward(string zone)
    {
        _zones.Add(DomainName.Parse(zone));
        return this;
    }

    /// <summary>Makes the answer to NAME TYPE known.</summary>
    internal ScriptedRelay Know(string question, Rcode rcode, params byte[][] records) =>
        Know(question, new RelayedAnswer { Rcode = rcode, AnswerCount = (ushort)records.Length }, records);

    internal ScriptedRelay Know(string question, RelayedAnswer answer, params byte[][] records)
    {
        byte[] octets = [.. records.SelectMany(record => record)];
        answer.Octets = octets.Length;
        _known[question] = new Entry(answer, octets);
        return this;
    }

    internal void Forget() => _known.Clear();

    public int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels)
    {
        int longest = -1;
        ReadOnlySpan<byte> suffix = name.Suffix(skippedLabels);
        foreach (DomainName zone in _zones)
            if (WireName.IsAtOrBelow(suffix, zone.Octets))
                longest = Math.Max(longest, WireName.CountLabels(zone.Octets));
        return longest;
    }

    /// <summary>Whether aliases must not lead to addresses.</summary>
    internal bool BlocksAddresses { get; set; }

    public bool Blocks(RRType type, ReadOnlySpan<byte> rdata) => BlocksAddresses && type == RRType.A;

    public bool MayRecurse(ref ClientAddress client) => IsOpen;

    ReplyPath IReplyPaths.TakePath(int slot)
    {
        _slot = slot;
        return default;
    }

    /// <summary>What one call sees of it.</summary>
    internal struct Call(ScriptedRelay relay) : IAnswerSource
    {
        public readonly void BeginQuery()
        {
        }

        public readonly bool TryCopy(scoped Question question, bool recursionDesired, Span<byte> destination,
            out RelayedAnswer answer)
        {
            answer = default;
            if (TextOf(question) == relay.Broken) throw new InvalidOperationException("Thrown by a test.");
            relay.MightAsk.Add(recursionDesired);
            if (!relay._known.TryGetValue(TextOf(question), out Entry? entry)) return false;
            answer = entry.Answer;
            if (entry.Records.Length <= destination.Length) entry.Records.CopyTo(destination);
            else answer = new RelayedAnswer { Rcode = answer.Rcode, DoesNotFit = true };
            return true;
        }

        public readonly bool TryDefer(scoped Question question, scoped in DeferredQuery query,
            out DeferralRefusal refusal)
        {
            refusal = relay.Obstacle ?? default;
            if (relay.Obstacle is not null) return false;
            relay.Asked.Add(TextOf(question) + (question.Flags == 0 ? "" : " " + question.Flags) +
                (relay._slot == 0 ? "" : " @" + relay._slot));
            relay.Waiting.Add(query);
            return true;
        }
    }

    /// <summary>Asks a responder that knows this relay; null if the query waits.</summary>
    internal Reply? Ask(ServedZones zones, QueryMessage query, DnsTransport transport = default)
    {
        byte[] room = Room(transport), octets = query.ToOctets();
        octets.CopyTo(room, 0);
        QueryOrigin origin = new(Client, transport, now: 0);
        Call call = new(this);
        return Read(zones.Responder.Respond(room, octets.Length, ref origin, this, ref call), room);
    }

    /// <summary>Answers the query that waits longest.</summary>
    internal Reply Complete(ServedZones zones) => CompleteOrWait(zones)!;

    /// <summary>Answers the query that waits longest; null if it waits once more.</summary>
    internal Reply? CompleteOrWait(ServedZones zones)
    {
        DeferredQuery query = Waiting[0];
        Waiting.RemoveAt(0);
        byte[] room = Room(query.Origin.Transport);
        Call call = new(this);
        return Read(zones.Responder.Resume(room, in query, ref call), room);
    }

    private static Reply? Read(ReplyOutcome reply, byte[] room) =>
        reply.IsDeferred ? null : Reply.Read(room[..reply.Octets]);

    internal static ClientAddress Client => ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));

    private static byte[] Room(DnsTransport transport)
    {
        byte[] room = new byte[!transport.IsReliable ? 1232 : ushort.MaxValue];
        Array.Fill(room, ServedZones.Filler);
        return room;
    }

    private static string TextOf(scoped Question question) =>
        $"{NameText.ToText(question.Name.Octets)} {RRTypeText.Format(question.Type)}";
}

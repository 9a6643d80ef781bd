using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Server.Tests.Forwarding;

/// <summary>Takes over deferred queries of a responder.</summary>
internal struct CapturedQuery : IAnswerSource
{
    private DeferredQuery _query;

    /// <summary>The query that a responder defers.</summary>
    internal static DeferredQuery Of(Responder responder, QueryMessage query, DnsTransport transport, long now)
    {
        byte[] room = new byte[1232], octets = query.ToOctets();
        octets.CopyTo(room, 0);
        QueryOrigin origin = new(ClientAddress.From(new(IPAddress.Loopback, 53000)), transport, now);
        CapturedQuery captured = new();
        Assert.Equal(ReplyOutcome.Deferred, responder.Respond(room, octets.Length, ref origin, null, ref captured));
        return captured._query;
    }

    public readonly void BeginQuery()
    {
    }

    public readonly bool TryCopy(scoped Question question, bool recursionDesired, Span<byte> destination,
        out RelayedAnswer answer)
    {
        answer = default;
        return false;
    }

    public bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal)
    {
        _query = query;
        refusal = default;
        return true;
    }
}

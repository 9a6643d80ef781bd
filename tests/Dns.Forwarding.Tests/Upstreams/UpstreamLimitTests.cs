using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>The state of an upstream and the acceptance of its replies, at the bounds.</summary>
public class UpstreamLimitTests
{
    private static readonly byte[] Question = WireOctets.Question("www.example", RRType.A, RRClass.IN);

    private static byte[] Reply(int flags, int questions, params byte[] behind) =>
        [0, 1, .. WireOctets.UInt16(flags), .. WireOctets.UInt16(questions), 0, 0, 0, 0, 0, 0, .. behind];

    [Fact, Trait("RFC", "5452 6")]
    public void Reply_with_two_questions_matches_none()
    {
        Assert.Equal(ReplyMatch.Kind.Exact, ReplyMatch.Compare(Reply(0x8180, 1, Question), Question));
        Assert.Equal(ReplyMatch.Kind.None, ReplyMatch.Compare(Reply(0x8180, 2, [.. Question, .. Question]), Question));
        Assert.Equal(ReplyMatch.Kind.None, ReplyMatch.Compare(Reply(0x8180, 1, Question[..^1]), Question));
    }

    [Fact, Trait("RFC", "6891 7")]
    public void Four_errors_match_without_a_question()
    {
        foreach (Rcode code in Enum.GetValues<Rcode>().Where(code => (int)code < 16))
        {
            bool isMatch = code is Rcode.FormErr or Rcode.ServFail or Rcode.NotImp or Rcode.Refused;
            ReplyMatch.Kind kind = isMatch ? ReplyMatch.Kind.BareError : ReplyMatch.Kind.None;
            Assert.Equal(kind, ReplyMatch.Compare(Reply(0x8180 | (int)code, 0), Question));
            Assert.Equal(kind, ReplyMatch.Compare(Reply(0x8180 | (int)code, 0, 0), Question));
        }
    }

    [Theory, Trait("RFC", "7873 5.3")]
    [InlineData(7, false)]
    [InlineData(8, true)]
    [InlineData(9, false)]
    [InlineData(15, false)]
    [InlineData(16, true)]
    [InlineData(40, true)]
    [InlineData(41, false)]
    public void Cookie_of_a_reply_has_a_length_that_exists(int octets, bool matches)
    {
        UpstreamCookie cookie = new(new SeededOctets(1));
        byte[] sent = new byte[64];
        Assert.Equal(8, cookie.Copy(sent));
        Assert.Equal(matches, cookie.Matches(sent.AsSpan(0, octets)));
    }

    [Fact, Trait("RFC", "7873 5.3")]
    public void Cookie_of_a_reply_begins_with_ours()
    {
        UpstreamCookie cookie = new(new SeededOctets(1));
        byte[] sent = new byte[16];
        cookie.Copy(sent);
        Assert.True(cookie.Matches(sent));
        for (int i = 0; i < 8; i++)
        {
            sent[i] ^= 1;
            Assert.False(cookie.Matches(sent));
            sent[i] ^= 1;
        }
    }

    [Fact]
    public void Reply_ends_the_penalty_of_an_upstream()
    {
        RoundTrip trip = new();
        trip.Add(50 * MonotonicClock.TicksPerMillisecond);
        trip.Penalise();
        Assert.True(trip.Cost > trip.Smoothed);
        trip.Add(50 * MonotonicClock.TicksPerMillisecond);
        Assert.Equal(trip.Smoothed, trip.Cost);
    }

    [Fact]
    public void Timeouts_before_a_reply_bring_no_suspicion_after_it()
    {
        VirtualClock clock = new();
        MonotonicClock time = new(clock);
        using TimingWheel wheel = new(time);
        using Upstream upstream = new(
            IPEndPoint.Parse("192.0.2.1:53"), 4,
            new(time, wheel, new SeededOctets(1), new ScriptedNetwork(clock), (_, _) => { }))
                { Zones = [DomainName.Root] };
        clock.Advance(10);
        for (ulong name = 1; name <= 2; name++) upstream.CountTimeout(time.Now, name, time.Now);
        clock.Advance(10);
        upstream.CountAnswer(time.Now);
        clock.Advance(10);
        for (ulong name = 1; name <= 2; name++) upstream.CountTimeout(time.Now, name, time.Now);
        Assert.Equal(0, wheel.Count);
        upstream.CountTimeout(time.Now, 3, time.Now);
        Assert.Equal(1, wheel.Count);
    }
}

namespace Dns.Forwarding.Tests;

/// <summary>
/// What a bad day looks like: datagrams are lost, late and doubled, somebody forges replies who knows nearly
/// everything, streams break, upstreams fail, die and return. All of it drawn from one seed.
/// </summary>
/// <param name="rig">Whose upstreams they are.</param>
/// <param name="random">Draws everything.</param>
/// <param name="mayAllDie">Whether all upstreams may be down at times.</param>
internal sealed class HostileUpstreams(ForwarderRig rig, Random random, bool mayAllDie)
{
    /// <summary>Forged messages sent so far.</summary>
    public int Forgeries { get; private set; }

    public void Begin()
    {
        foreach (ScriptedUpstream upstream in rig.Upstreams)
        {
            upstream.StreamPieceOctets = random.Next(1, 40);
            upstream.Script = Act;
            LiveAndDie(upstream);
        }
    }

    private void LiveAndDie(ScriptedUpstream upstream)
    {
        rig.Clock.Plan(TimeSpan.FromSeconds(random.NextDouble() * (upstream.IsDead ? 15 : 30)), () =>
        {
            bool isLast = !upstream.IsDead && rig.Upstreams.Count(other => !other.IsDead) == 1;
            upstream.IsDead = !upstream.IsDead && (mayAllDie || !isLast);
            upstream.RefusesStreams = random.Next(4) == 0;
            LiveAndDie(upstream);
        });
    }

    private void Act(ScriptedQuery query)
    {
        while (random.Next(3) == 0) Forge(query);
        if (random.Next(20) == 0) return;
        double delay = random.Next(20) == 0 ? random.NextDouble() * 6000 : random.NextDouble() * 100;
        switch (random.Next(40))
        {
            case 0: query.Fail(Rcode.ServFail, delay); break;
            case 1: query.Fail(Rcode.Refused, delay); break;
            case 2: query.Fail(Rcode.FormErr, delay); break;
            case 3 or 4 when !query.IsStream: query.Reply(query.Message(0x8380, []), delay); break;
            case 5 when query.IsStream: query.CloseStream(delay); break;
            case 6: query.Reply(query.Message(0x8183, [ScriptedQuery.Soa()], isNegative: true), delay); break;
            case 7: query.Reply(query.TrueAnswer()[..^random.Next(1, 14)], delay); break;
            case 8 when !query.IsStream:
                query.Reply(query.Message(0x8380, [ScriptedQuery.Address(ScriptedQuery.Forged)]), delay);
                break;
            default: query.Reply(query.TrueAnswer(ttl: (uint)random.Next(0, 30)), delay); break;
        }
        if (random.Next(10) == 0) query.Reply(query.TrueAnswer(ttl: 5), delay + random.NextDouble() * 1000);
    }

    /// <summary>Off the path: everything may be known but one thing.</summary>
    private void Forge(ScriptedQuery query)
    {
        Forgeries++;
        double delay = random.NextDouble() * 50;
        byte[] question = [.. query.Question];
        if (query.IsStream) return;
        switch (random.Next(7))
        {
            case 0:
                for (int i = random.Next(1, 20); i > 0; i--)
                    query.Reply(query.Forge(id: query.Id ^ random.Next(1, 0x10000)), delay);
                break;
            case 1:
                int letter = 1 + random.Next(question[0]);
                question[letter] ^= char.IsAsciiLetter((char)question[letter]) ? (byte)0x20 : (byte)1;
                query.Reply(query.Forge(question: question), delay);
                break;
            case 2: query.Reply(query.Forge(flags: 0x0180), delay); break;
            case 3:
                byte[] junk = new byte[random.Next(0, 600)];
                random.NextBytes(junk);
                query.Reply(junk, delay);
                break;
            case 4:
                rig.Network.Deliver(new(System.Net.IPAddress.Parse("192.0.2.77"), 53), query.Port, query.Forge(),
                    TimeSpan.FromMilliseconds(delay));
                break;
            case 5:
                rig.Network.Deliver(query.Upstream.Address, random.Next(32768, 65536), query.Forge(),
                    TimeSpan.FromMilliseconds(delay));
                break;
            default:
                question[^3] = 28;
                query.Reply(query.Forge(question: question), delay);
                break;
        }
    }
}

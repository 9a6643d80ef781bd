using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Questions with equal 64-bit hashes about different names.</summary>
public class CollisionTests
{
    private readonly byte[][] _names = CollidingNames.Make(QuestionKey.Alternatives + 1);
    private readonly ForwarderRig _rig = new();

    public CollisionTests() =>
        _rig.Upstream.Script = query => query.Reply(query.Message(0x8180, [Address(query.Name)]));

    [Fact]
    public void The_names_do_have_one_hash()
    {
        Assert.Single(_names.Select(name => NameHash.Compute(name)).Distinct());
        Assert.Equal(_names.Length, _names.Select(Convert.ToHexString).Distinct().Count());
    }

    [Fact]
    public void Each_question_on_its_way_gets_its_own_answer()
    {
        ScriptedWaiter[] waiters = [.. _names.Select(_ => new ScriptedWaiter(_rig.Clock))];
        ForwardResult[] results = [.. _names.Select((name, i) => Ask(name, waiters[i]))];
        // As many may share a hash as there are keys for it; the next one is turned away, never given another's answer.
        Assert.Equal(
            [.. Enumerable.Repeat(ForwardResult.Joined, QuestionKey.Alternatives), ForwardResult.TableFull], results);
        ScriptedWaiter second = new(_rig.Clock);
        Assert.Equal(ForwardResult.Joined, Ask(_names[2], second));
        _rig.Clock.Advance(100);
        Assert.Equal(QuestionKey.Alternatives, _rig.Upstream.Asked);
        for (int i = 0; i < QuestionKey.Alternatives; i++) Assert.Equal(AddressOf(_names[i]), waiters[i].Result);
        Assert.Equal((AddressOf(_names[2]), 0), (second.Result, waiters[^1].Times));
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Each_name_is_remembered_with_its_own_answer()
    {
        foreach (byte[] name in _names)
        {
            Assert.Null(Remembered(name));
            Ask(name, new ScriptedWaiter(_rig.Clock));
            _rig.Clock.Advance(100);
        }
        Assert.All(_names, name => Assert.Equal(AddressOf(name), Remembered(name)));
        Assert.Equal(1, _rig.Forwarder.Cache.Flush(DomainName.Parse(NameText.ToText(_names[1]))));
        Assert.Null(Remembered(_names[1]));
        Assert.Equal(AddressOf(_names[0]), Remembered(_names[0]));
    }

    private static string AddressOf(ReadOnlySpan<byte> name) =>
        new IPAddress([10, name[1], name[2], name[3]]).ToString();

    private static byte[] Address(byte[] name)
    {
        byte[] lower = new byte[name.Length];
        WireName.ToLower(name, lower);
        return ScriptedQuery.Address(AddressOf(lower));
    }

    private ForwardResult Ask(byte[] octets, ScriptedWaiter waiter)
    {
        LookupName name = default;
        name.Set(octets);
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("198.51.100.1:1000"));
        return _rig.Forwarder.Forward(new Question(in name, RRType.A, RRClass.IN, 0), ref client, waiter);
    }

    private string? Remembered(byte[] octets)
    {
        LookupName name = default;
        name.Set(octets);
        byte[] records = new byte[512];
        Question question = new(in name, RRType.A, RRClass.IN, 0);
        int spent = 0;
        CacheState state = _rig.Forwarder.TryAnswer(in question, _rig.Forwarder.Timestamp, ref spent, records,
            out RelayedAnswer answer);
        return state == CacheState.Miss ? null : new IPAddress(records.AsSpan(answer.Octets - 4, 4)).ToString();
    }
}

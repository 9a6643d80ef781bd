using System.Net;
using Dns.Answering;
using Dns.Answering.Encoding;
using Dns.Answering.Steps;
using Dns.Management.Explanations;
using Dns.Protocol.Messages;
using Dns.Protocol.Names;
using Dns.Testing;
using Dns.Zones.Lookup;

namespace Dns.Management.Tests.Explanations;

/// <summary>What <c>dnsd why</c> says where the answer depends on who queries.</summary>
public sealed class WhyQueryTests
{
    private const string Hint = "the answer depends on the client: 127.0.0.1 is assumed where none is given";
    private const string Zone = "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n";

    private static Explanation Explain(string name, string? client, params string[] allowed)
    {
        ZoneSlot limited = ServedZones.SlotOf("a.test", Zone);
        limited.AllowQuery = allowed.Length == 0 ? null : new ClientNetworks([.. allowed.Select(IPNetwork.Parse)]);
        ZoneSlot alias = ServedZones.SlotOf("b.test", Zone + "www 60 CNAME ns.a.test.\n");
        WhyQuery why = new(new LiveResponder(new ServedZones(new ResponderOptions(), limited, alias).Responder));
        return why.Explain(name, null, client);
    }

    [Theory]
    [InlineData("ns.a.test", null, "192.0.2.0/24", true)]
    [InlineData("ns.a.test", null, "127.0.0.0/8", true)]
    [InlineData("none.a.test", null, "127.0.0.0/8 ::/0", true)]
    [InlineData("www.b.test", null, "192.0.2.0/24", true)]
    [InlineData("ns.a.test", "127.0.0.1", "192.0.2.0/24", false)]
    [InlineData("ns.a.test", null, "0.0.0.0/0 ::/0", false)]
    [InlineData("ns.a.test", null, "", false)]
    [InlineData("ns.b.test", null, "192.0.2.0/24", false)]
    [InlineData("elsewhere.example", null, "192.0.2.0/24", false)]
    public void Where_a_list_of_clients_decides_an_assumed_client_is_named(
        string name, string? client, string allowed, bool isHinted)
    {
        Explanation explanation =
            Explain(name, client, allowed.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal(isHinted ? Hint : null, explanation.Hint);
        StringWriter text = new();
        explanation.Write(text);
        Assert.Equal(isHinted, text.ToString().Contains(Hint + " (--from ADDRESS)", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("ns.a.test", "the policy answers", "REFUSED")]
    [InlineData("a.test", null, "NOERROR")]
    public void The_policy_of_the_server_answers_here_too(string name, string? rule, string rcode)
    {
        ServedZones zones = new(("a.test", Zone));
        SteppedWhyQuery<RefusedNames, NoSteps> why = new(new LiveResponder(zones.Responder), null, default, default);
        Explanation explanation = why.Explain(name, null, null);
        Assert.Equal(rule, explanation.Steps.FirstOrDefault(step => step.Source == "policy")?.Rule);
        Assert.Contains(explanation.Message, line => line.Contains(rcode, StringComparison.Ordinal));
    }

    /// <summary>Refuses the names "ns".</summary>
    private readonly struct RefusedNames : IPolicyStep
    {
        public static bool HasPolicy => true;

        public PolicyVerdict OnQuery(scoped in PolicyQuery query, scoped ref PolicyReply reply)
        {
            if (!query.Name.Octets.StartsWith("\u0002ns"u8)) return PolicyVerdict.Pass;
            reply.Rcode = Rcode.Refused;
            return PolicyVerdict.Reply;
        }

        public PolicyVerdict OnForwarded(
            scoped in PolicyQuery query, scoped RecordReader answer, scoped ref PolicyReply reply) =>
            PolicyVerdict.Pass;
    }
}

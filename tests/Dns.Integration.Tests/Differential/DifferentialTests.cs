using System.Globalization;
using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests;

/// <summary>
/// The same questions and packets to Knot, NSD, BIND and to our program, over the same generated zones, UDP and TCP.
/// Environment: <c>DNS_FUZZ_SEED</c> makes other ones, <c>DNS_FUZZ_CASES</c> more of them. The gate asks the same each
/// time: a corner of another server that nobody has explained yet is for the shell to find.
/// </summary>
public sealed class DifferentialTests(SharedPeers shared, ITestOutputHelper output) : IClassFixture<SharedPeers>
{
    internal static readonly string[] Zones = ["d0.test", "kid.d0.test", "d1.test"];

    private SharedPeers.Served? _served;

    private PeerServer Ours => _served!.Ours;

    private IReadOnlyList<PeerServer> Peers => _served!.Peers;

    /// <summary>The seeds of the gate, or the one of the environment.</summary>
    public static TheoryData<int> Seeds =>
        Setting("DNS_FUZZ_SEED", -1) is var seed and >= 0 ? [seed] : [1, 2, 3, 4, 5];

    [PeersTheory]
    [MemberData(nameof(Seeds))]
    public void Questions_are_answered_as_others_answer_them_or_the_difference_is_explained(int seed)
    {
        Random random = new(seed);
        QueryGenerator queries = Serve(random);
        List<string> unexplained = [];
        Dictionary<string, int> explained = [];
        for (int left = Setting("DNS_FUZZ_CASES", 3000); left > 0; left--)
        {
            byte[] packet =
                new QueryMessage { Id = (ushort)random.Next(65536), Question = queries.NextQuestion() }.ToOctets();
            bool isTcp = left % 8 == 0;
            Reply reply = AskOurs(packet, isTcp) ?? throw new InvalidDataException($"no answer to {Question(packet)}");
            Reply[] replies = [.. Peers
                .Select(peer => Reply.Read(isTcp ? peer.AskOverTcp(packet) : peer.Ask(packet)!, isForeign: true))];
            if (isTcp && AskOurs(packet, isTcp: false) is { IsTruncated: false } datagram &&
                datagram.ToString() != reply.ToString())
                unexplained.Add($"{Question(packet)}: over TCP\n{reply}\nover UDP:\n{datagram}\n");
            if (PeerAnswer.GlueFault(reply, replies) is { } fault)
                unexplained.Add($"{Question(packet)}: {fault}\n{reply}\n");
            for (int i = 0; i < replies.Length; i++)
            {
                PeerAnswer answer = new(Peers[i].Name, reply, replies[i]);
                if (answer.Difference is not { } difference) continue;
                string? reason = Explanations.Find(answer);
                if (reason is null)
                    unexplained
                        .Add($"{Question(packet)}: {difference}\nours:\n{reply}\n{answer.Peer}:\n{answer.Theirs}\n");
                else explained[reason] = explained.GetValueOrDefault(reason) + 1;
            }
        }
        foreach ((string reason, int count) in explained) output.WriteLine($"{count} times: {reason}");
        Assert.True(unexplained.Count == 0,
            $"DNS_FUZZ_SEED={seed}: {unexplained.Count} differences\n{string.Join('\n', unexplained.Take(10))}");
    }

    [PeersTheory]
    [MemberData(nameof(Seeds))]
    public void Packets_that_all_others_answer_are_answered_with_a_code_that_one_of_them_gives(int seed)
    {
        Random random = new(seed);
        QueryGenerator queries = Serve(random);
        List<string> unexplained = [];
        for (int left = Setting("DNS_FUZZ_CASES", 3000); left > 0; left--)
        {
            byte[] packet = random.Next(4) == 0 ? queries.NextQuery() : queries.Mutate(queries.NextQuery());
            if (packet.Length == 0) continue;
            Reply? reply = AskOurs(packet, isTcp: false);
            List<(string Name, byte[] Octets)> answers = [];
            foreach (PeerServer peer in Peers)
                if (peer.Ask(packet) is { } answer) answers.Add((peer.Name, answer));
            string[] codes = [.. answers.Select(answer => $"{answer.Name} {RcodeText.Format(CodeOf(answer.Octets))}")];
            bool isAnswered = reply is not null || answers.Count < Peers.Count;
            bool isKnown =
                reply is null || answers.Count == 0 || answers.Any(answer => CodeOf(answer.Octets) == reply.Rcode);
            if (isAnswered && isKnown || Explanations.FindForPacket(packet, reply) is not null) continue;
            unexplained
                .Add($"{Convert.ToHexString(packet)}: ours {reply?.Header ?? "silence"}, {string.Join(", ", codes)}");
        }
        Assert.True(unexplained.Count == 0,
            $"DNS_FUZZ_SEED={seed}: {unexplained.Count} differences\n{string.Join('\n', unexplained.Take(20))}");
    }

    private QueryGenerator Serve(Random random)
    {
        List<(string Apex, string Text)> texts =
            [.. Zones.Select(zone => (zone, new DifferentialZone(random, zone, Zones).Next()))];
        _served = shared.Serve(texts);
        return new QueryGenerator(random, [.. texts.Select(zone => ZoneText.Load(zone.Apex, zone.Text))]);
    }

    /// <summary>Asks our program and reads the reply as strictly as it can be read.</summary>
    private Reply? AskOurs(byte[] packet, bool isTcp)
    {
        if ((isTcp ? Ours.AskOverTcp(packet) : Ours.Ask(packet)) is not { } octets) return null;
        Reply reply = Reply.Read(octets);
        ReplyRules.Check(packet, reply, isTcp ? ushort.MaxValue : Math.Min(ReplyRules.PayloadOf(packet), 1232));
        return reply;
    }

    private static Rcode CodeOf(byte[] octets)
    {
        try
        {
            return Reply.Read(octets, isForeign: true).Rcode;
        }
        catch (InvalidDataException)
        {
            // A reply that repeats what it could not read; its header is enough here.
            return (Rcode)(octets[3] & 15);
        }
    }

    private static string Question(byte[] packet)
    {
        byte[] name = new byte[WireName.MaxOctets];
        return MessageReader.TryOpen(packet, out MessageReader message) &&
            message.TryReadQuestion(out QuestionReader question)
            && question.TryExpandName(name, out int length)
            ? $"{NameText.ToText(name.AsSpan(0, length))} {RRTypeText.Format(question.Type)}" : "no question";
    }

    private static int Setting(string name, int fallback) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out int value)
            ? value : fallback;
}

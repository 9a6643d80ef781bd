namespace Dns.Bench;

/// <summary>
/// Triples: the baseline, a server, the baseline again, short enough that the machine rarely changes within one. A
/// triple counts if both runs of the baseline agree and no other process was busy. Servers take turns within each
/// round.
/// </summary>
internal sealed class PeerComparison(
    OptionValues options, ZoneQuestions? own, IReadOnlyList<RunningPeer> peers, RunningPeer neighbour)
{
    private const int SingleClientWindow = 200;
    private const double AgainSeconds = 1;
    private readonly double _drift = options.Number("drift") / 100;
    private readonly double _foreign = options.Number("foreign") / 100;
    private bool _isWarm;

    /// <summary>Runs everything.</summary>
    internal List<PeerFigures> Run()
    {
        List<PeerFigures> figures = [];
        foreach (string mix in options.List("mixes"))
        {
            QuerySet queries = Queries(mix), unchecked_ = Queries(mix);
            unchecked_.ExpectAnything();
            foreach (int clients in options.List("clients").Select(int.Parse))
                figures.AddRange(Compare(mix, clients, queries, unchecked_));
        }
        return figures;
    }

    private QuerySet Queries(string mix)
    {
        Question[] questions = own?.Draw(mix, options.Int("queries"))
            ?? QueryMix.Draw(mix, Math.Max(100, options.Int("names")), options.Int("queries"));
        if (options.Has("segments")) questions = QueryText.ByLength(questions);
        return new QuerySet(questions, options.Has("edns"), options.Has("signed"), options.Has("recursion"),
            options.Has("cookies"));
    }

    private PeerFigures[] Compare(string mix, int clients, QuerySet queries, QuerySet uncheckedQueries)
    {
        LoadPlan plan = Plan(clients, queries);
        LoadPlan PlanOf(RunningPeer peer) =>
            peer.Name == PeerTable.Echo ? plan with { Queries = uncheckedQueries } : plan;
        RunningPeer[] subjects = [.. peers.Where(peer => peer != neighbour)];
        PeerFigures[] figures = [.. subjects.Select(peer => new PeerFigures(mix, clients, peer.Name))];
        WarmUp(PlanOf, _isWarm ? AgainSeconds : options.Number("warm-up"));
        _isWarm = true;
        for (int round = 0; round < options.Int("rounds"); round++)
            for (int i = 0; i < subjects.Length; i++)
                RunTriple(subjects[i], PlanOf(subjects[i]), PlanOf(neighbour), figures[i]);
        if (options.Has("instructions"))
            for (int i = 0; i < subjects.Length; i++)
                figures[i].Instructions = subjects[i].Instructions(PlanOf(subjects[i]));
        foreach (PeerFigures one in figures)
            Console.Error.WriteLine(
                $"{mix}, {clients} clients: {one.Server} {one.Ratio.ToString(2)}, {one.Discarded} discarded");
        return figures;
    }

    /// <summary>
    /// Warms up every server. On one processor the JIT compiles its last tier beside the load and takes seconds for it;
    /// until then a query costs three times as much.
    /// </summary>
    private void WarmUp(Func<RunningPeer, LoadPlan> planOf, double seconds)
    {
        foreach (RunningPeer peer in peers) peer.RunLeg(planOf(peer) with { Seconds = seconds });
    }

    private void RunTriple(RunningPeer subject, LoadPlan plan, LoadPlan neighbourPlan, PeerFigures figures)
    {
        for (int attempt = 0; attempt < Math.Max(1, options.Int("tries")); attempt++)
        {
            Leg before = neighbour.RunLeg(neighbourPlan), leg = subject.RunLeg(plan),
                after = neighbour.RunLeg(neighbourPlan);
            bool agree =
                Math.Abs(before.PerAnswer - after.PerAnswer) <= _drift * Math.Min(before.PerAnswer, after.PerAnswer);
            bool alone = Math.Max(before.Foreign, Math.Max(leg.Foreign, after.Foreign)) <= _foreign;
            if (agree && alone && leg.Load.Answered > 0)
            {
                figures.Add(before, leg, after);
                return;
            }
            figures.Discarded++;
        }
    }

    private LoadPlan Plan(int clients, QuerySet queries)
    {
        int window = Math.Max(1, options.Int("in-flight") / clients);
        return new LoadPlan
        {
            Server = neighbour.EndPoint,
            Queries = queries,
            Sockets = clients,
            Window = clients == 1 ? Math.Min(window, SingleClientWindow) : window,
            Rate = options.Number("rate"),
            Seconds = options.Number("leg"),
            Tcp = options.Has("tcp"),
            Segments = options.Has("segments"),
            ConnectionQueries = options.Has("tcp") ? options.Int("connection-queries") : 0,
            Processor = options.Int("client-cpu"),
        };
    }
}

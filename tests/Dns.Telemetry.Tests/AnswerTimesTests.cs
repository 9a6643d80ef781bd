using System.Net;
using Dns.Testing;

namespace Dns.Telemetry.Tests;

public class AnswerTimesTests
{
    private const int SlotOctets = 512;

    private readonly TelemetrySources _sources = new();
    private readonly ClientAddress[] _clients = new ClientAddress[4];

    public AnswerTimesTests() => Array.Fill(_clients, ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353")));

    private AnswerTimes AnswerTimes => _sources.AnswerTimes;

    private void Batch(double milliseconds, params int[] lengths)
    {
        byte[] slots = new byte[SlotOctets * lengths.Length];
        for (int i = 0; i < lengths.Length; i++)
            TelemetrySources.Message(1, (byte)('a' + i), 0).CopyTo(slots, i * SlotOctets);
        long began = _sources.Clock.GetTimestamp();
        _sources.Clock.Advance(milliseconds);
        AnswerTimes.OnDatagrams(Batches.InRow(slots, SlotOctets, lengths, _clients, began));
    }

    private long Counted(AnswerOrigin source) => AnswerTimes.Read(source).Classes.Sum();

    [Fact]
    public void Every_answer_of_a_batch_took_as_long_as_the_batch()
    {
        Batch(2, 30, 0, 30);
        TimeCounts counts = AnswerTimes.Read(AnswerOrigin.Datagram);
        Assert.Equal((2, 4_000_000), (counts.Classes.Sum(), counts.Nanoseconds));
        Assert.Equal(2, counts.Classes[TimeClasses.Of(2_000_000)]);
        Assert.Equal(0, Counted(AnswerOrigin.Stream));
    }

    [Fact]
    public void A_batch_without_an_answer_counts_for_nothing()
    {
        Batch(1, 0, 0);
        Assert.Equal(0, Counted(AnswerOrigin.Datagram));
        Assert.Empty(AnswerTimes.Top.ReadNames(10));
    }

    [Fact]
    public void A_sample_stands_for_the_queries_since_the_one_before_it()
    {
        Batch(0, 30);
        // Too soon for another sample: these ten stand in the next one.
        for (int i = 0; i < 10; i++) Batch(0.01, 30);
        Assert.Equal([("a.", 1.0)], AnswerTimes.Top.ReadNames(10).Select(entry => (entry.Text, entry.Share)));
        Batch(5, 0, 30);
        Assert.Equal([("b.", 0.917), ("a.", 0.083)],
            AnswerTimes.Top.ReadNames(10).Select(entry => (entry.Text, Math.Round(entry.Share, 3))));
    }

    [Fact]
    public void A_sample_of_a_batch_is_one_that_was_answered()
    {
        for (int i = 0; i < 4; i++)
        {
            int[] lengths = new int[4];
            lengths[i] = 30;
            Batch(5, lengths);
        }
        Assert.Equal(["a.", "b.", "c.", "d."], AnswerTimes.Top.ReadNames(10).Select(entry => entry.Text).Order());
    }

    [Fact]
    public void A_tap_sees_what_was_answered()
    {
        Tapped tapped = new();
        AnswerTimes answerTimes = new(_sources.Clock, tapped);
        byte[] slots = new byte[SlotOctets * 3];
        int[] lengths = [30, 0, 40];
        QueryOrigin origin = new(in _clients[0], DnsTransport.Tcp, _sources.Clock.GetTimestamp());
        answerTimes.OnDatagrams(Batches.InRow(slots, SlotOctets, lengths, _clients, origin.Now));
        answerTimes.OnAnswer(slots.AsSpan(0, 50), ref origin, AnswerOrigin.Stream);
        Assert.Equal([30, 40, 50], tapped.Lengths);
    }

    private sealed class Tapped : IAnswerObserver
    {
        public List<int> Lengths { get; } = [];

        public void OnAnswer(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts) =>
            Lengths.Add(answer.Length);
    }

    [Fact]
    public void Ways_are_told_apart()
    {
        long began = _sources.Clock.GetTimestamp();
        _sources.Clock.Advance(30);
        QueryOrigin origin = new(in _clients[0], DnsTransport.Udp, began);
        AnswerTimes.OnAnswer(TelemetrySources.Message(1, (byte)'a', 0), ref origin, AnswerOrigin.Forwarded);
        Assert.Equal((0, 0, 1),
            (Counted(AnswerOrigin.Datagram), Counted(AnswerOrigin.Stream), Counted(AnswerOrigin.Forwarded)));
    }

    [Fact]
    public void Watching_allocates_nothing()
    {
        byte[] slots = new byte[SlotOctets];
        TelemetrySources.Message(1, (byte)'a', 0).CopyTo(slots, 0);
        int[] lengths = [30];
        AnswerTimes answerTimes = new(TimeProvider.System);
        int watched = 0;
        WatchMany(100);
        Assert.Equal(0, AllocatedOctets.Least(() => WatchMany(1000)));
        Assert.Equal(watched, answerTimes.Read(AnswerOrigin.Stream).Classes.Sum());
        Assert.NotEmpty(answerTimes.Top.ReadNames(1));

        void WatchMany(int times)
        {
            watched += times;
            for (int i = 0; i < times; i++)
            {
                QueryOrigin origin = new(in _clients[0], DnsTransport.Tcp, TimeProvider.System.GetTimestamp());
                answerTimes.OnDatagrams(Batches.InRow(slots, SlotOctets, lengths, _clients, origin.Now));
                answerTimes.OnAnswer(slots.AsSpan(0, 30), ref origin, AnswerOrigin.Stream);
            }
        }
    }
}

using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Tests;

public class AnswerRecorderTests
{
    private static ClientAddress _client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));

    private readonly VirtualClock _clock = new();
    private readonly ListedRecords _sink = new();
    private readonly ListedLog _log = new();

    private AnswerRecorder Recorder(double share = 1) => new(_sink, share, _clock, _log);

    private static void Answer(AnswerRecorder recorder, int times = 1, int octets = 40)
    {
        byte[] answer = new byte[octets];
        for (int i = 0; i < times; i++)
        {
            (answer[0], answer[1]) = ((byte)(i >> 8), (byte)i);
            recorder.OnAnswer(answer, ref _client, new AnswerFacts(AnswerOrigin.Datagram, DnsTransport.Udp, i, i + 10));
        }
    }

    [Fact]
    public void Records_are_written_in_their_order_with_the_time_of_day()
    {
        AnswerRecorder recorder = Recorder();
        _clock.Advance(1000);
        byte[] answer = new byte[40];
        recorder.OnAnswer(answer, ref _client,
            new AnswerFacts(AnswerOrigin.Stream, DnsTransport.Tcp, _clock.GetTimestamp(), _clock.GetTimestamp() + 70));
        DateTimeOffset came = _clock.GetUtcNow();
        _clock.Advance(500);
        recorder.Drain();
        Assert.Equal([(40, came, TimeSpan.FromTicks(70))], _sink.Records);
        Assert.Equal((1, 0), (recorder.Written, recorder.Lost));
        Answer(recorder, 2);
        recorder.Drain();
        recorder.Drain();
        Assert.Equal((3, 0), (recorder.Written, recorder.Lost));
    }

    [Fact]
    public void What_finds_no_room_is_counted_and_said_once_a_minute()
    {
        AnswerRecorder recorder = Recorder();
        Answer(recorder, AnswerRecorder.Capacity + 100);
        recorder.Drain();
        Assert.Equal((AnswerRecorder.Capacity, 100), (recorder.Written, recorder.Lost));
        Answer(recorder, AnswerRecorder.Capacity + 50);
        recorder.Drain();
        Assert.Equal(150, recorder.Lost);
        Assert.Equal(["Records of a list were lost: 100, more answers than can be written"], _log.Lines);
        _clock.Advance(TimeSpan.FromMinutes(1));
        recorder.Drain();
        Assert.Equal("Records of a list were lost: 50, more answers than can be written", _log.Lines[^1]);
    }

    [Fact]
    public async Task A_sink_that_hangs_does_not_hold_a_stop()
    {
        using ManualResetEventSlim entered = new(), end = new();
        _sink.OnWrite = () =>
        {
            entered.Set();
            end.Wait();
        };
        AnswerRecorder recorder =
            new(_sink, 1, _clock, _log) { StopTimeout = TimeSpan.FromMilliseconds(10) };
        Answer(recorder, 5);
        await recorder.StartAsync(default);
        Assert.True(entered.Wait(TimeSpan.FromMinutes(3)));
        Answer(recorder, 3);
        await recorder.StopAsync(default);
        Assert.Equal(["Records of a list were lost: 7, it did not take them within the time of a stop"], _log.Lines);
        Assert.Equal(7, recorder.Lost);
        end.Set();
    }

    [Fact]
    public async Task A_sink_that_fails_at_the_end_gets_no_more()
    {
        AnswerRecorder recorder = Recorder();
        int tries = 0;
        _sink.OnWrite = () =>
        {
            tries++;
            throw new IOException("it hangs");
        };
        Answer(recorder, 5);
        recorder.Drain();
        Assert.Equal(5, tries);
        await recorder.StopAsync(default);
        Answer(recorder, 5);
        recorder.Drain();
        Assert.Equal((6, 10L), (tries, recorder.Lost));
    }

    [Fact]
    public void A_sink_that_fails_costs_its_records_and_one_line_a_minute()
    {
        AnswerRecorder recorder = Recorder();
        _sink.Failure = new IOException("No space left on device");
        for (int i = 0; i < 10; i++)
        {
            Answer(recorder, 5);
            recorder.Drain();
        }
        Assert.Equal((0, 50), (recorder.Written, recorder.Lost));
        Assert.Equal(["Records of a list were lost: 5, No space left on device"], _log.Lines);
        _sink.Failure = null;
        Answer(recorder, 5);
        recorder.Drain();
        Assert.Equal((5, 50), (recorder.Written, recorder.Lost));
        _clock.Advance(TimeSpan.FromMinutes(1));
        recorder.Drain();
        Assert.Equal("Records of a list were lost: 45, No space left on device", _log.Lines[^1]);
    }

    [Fact]
    public void A_sink_that_throws_costs_no_room_for_later_records()
    {
        AnswerRecorder recorder = Recorder();
        _sink.IsBroken = true;
        for (int i = 0; i < AnswerRecorder.Capacity; i++)
        {
            Answer(recorder);
            Assert.Throws<InvalidOperationException>(recorder.Drain);
        }
        _sink.IsBroken = false;
        Answer(recorder, 5);
        recorder.Drain();
        Assert.Equal((5, 0), (_sink.Records.Count, (int)recorder.Lost));
    }

    [Fact]
    public void A_recorder_that_is_off_takes_nothing()
    {
        AnswerRecorder recorder = Recorder();
        recorder.IsOn = false;
        Answer(recorder, 5);
        recorder.IsOn = true;
        Answer(recorder, 1);
        recorder.Drain();
        Assert.Single(_sink.Records);
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(0.25, 850, 1150)]
    [InlineData(1, 4000, 4000)]
    public void A_share_of_the_answers_is_taken(double share, int least, int most)
    {
        AnswerRecorder recorder = Recorder(share);
        Answer(recorder, 4000);
        recorder.Drain();
        Assert.InRange(_sink.Records.Count, least, most);
    }

    [Fact]
    public void Long_answers_are_kept_whole()
    {
        AnswerRecorder recorder = Recorder();
        Answer(recorder, 1, ushort.MaxValue);
        Answer(recorder, 1, 40);
        recorder.Drain();
        Assert.Equal([ushort.MaxValue, 40], _sink.Records.Select(record => record.Octets));
    }

    [Fact]
    public void Once_the_records_are_made_taking_them_allocates_nothing()
    {
        AnswerRecorder recorder = Recorder();
        Answer(recorder, AnswerRecorder.Capacity);
        _sink.IsDeaf = true;
        byte[] answer = new byte[40];
        recorder.Drain();
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            for (int i = 0; i < 400; i++)
                recorder.OnAnswer(answer, ref _client, new AnswerFacts(AnswerOrigin.Datagram, DnsTransport.Udp, i, i));
        }));
        Assert.Equal(0, recorder.Lost);
    }

    [Fact]
    public async Task Many_threads_put_in_and_take_out_of_a_ring_without_loss()
    {
        const int each = 20_000;
        BoundedRing<string> ring = new(64);
        int taken = 0;
        Task[] threads =
        [
            .. Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
            {
                for (int i = 0; i < each;) if (ring.TryAdd("x")) i++; else Thread.Yield();
            })),
            .. Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
            {
                while (Volatile.Read(ref taken) < 3 * each)
                    if (ring.TryTake(out string? _)) Interlocked.Increment(ref taken);
                    else Thread.Yield();
            })),
        ];
        await Task.WhenAll(threads);
        Assert.Equal(3 * each, taken);
        Assert.False(ring.TryTake(out _));
    }

    [Fact]
    public void A_full_ring_refuses_and_an_empty_one_has_nothing()
    {
        BoundedRing<string> ring = new(2);
        Assert.False(ring.TryTake(out _));
        Assert.True(ring.TryAdd("a"));
        Assert.True(ring.TryAdd("b"));
        Assert.False(ring.TryAdd("c"));
        Assert.True(ring.TryTake(out string? first));
        Assert.Equal("a", first);
        Assert.True(ring.TryAdd("c"));
    }

    private sealed class ListedRecords : IRecordSink
    {
        public List<(int Octets, DateTimeOffset At, TimeSpan Took)> Records { get; } = [];

        public IOException? Failure { get; set; }

        public Action? OnWrite { get; set; }

        public bool IsBroken { get; set; }

        public bool IsDeaf { get; set; }

        public string Name => "a list";

        public void Write(AnswerRecord record, DateTimeOffset at, TimeSpan took)
        {
            OnWrite?.Invoke();
            if (IsBroken) throw new InvalidOperationException();
            if (!IsDeaf) Records.Add((record.Message.Length, at, took));
        }

        public void Flush()
        {
            if (Failure is not null) throw Failure;
        }

        public void Dispose()
        {
        }
    }

    private sealed class ListedLog : ILogger<AnswerRecorder>
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) =>
            Lines.Add(formatter(state, exception));
    }
}

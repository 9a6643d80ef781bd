using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Recording;

/// <summary>
/// Takes copies of answers and has a thread of its own write them. The copies are bounded: when the writing falls
/// behind, or fails, answers continue and records are counted as lost; the log reports it once a minute.
/// </summary>
public sealed class AnswerRecorder : IAnswerObserver, IHostedService, IDisposable
{
    internal const int Capacity = 4096;

    private const int IntervalMs = 50;
    private const int WakeEvery = 1024;
    private static readonly TimeSpan ReportInterval = TimeSpan.FromMinutes(1);

    private readonly IRecordSink _sink;
    private readonly SampleShare _share;
    private readonly TimeProvider _clock;
    private readonly ILogger<AnswerRecorder> _logger;
    private readonly ManualResetEventSlim _wake = new();
    private readonly BoundedRing<AnswerRecord> _free = new(Capacity), _full = new(Capacity);
    private Thread? _thread;
    private volatile bool _isOn, _isStopping, _hasFailedAtEnd;
    private int _made;
    private long _written, _lost, _pending, _reportedAt, _reportedLost;
    private bool _hasReported;
    private string? _problem;

    /// <summary>Creates one that is on.</summary>
    /// <param name="sink">Where records go; disposed with this.</param>
    /// <param name="share">Which share of answers is recorded, 0 to 1.</param>
    public AnswerRecorder(IRecordSink sink, double share, TimeProvider clock, ILogger<AnswerRecorder> logger)
    {
        (_sink, _share, _clock, _logger) = (sink, new SampleShare(share), clock, logger);
        _isOn = true;
    }

    /// <summary>Whether answers are recorded. Changes at once.</summary>
    public bool IsOn
    {
        get => _isOn;
        set => _isOn = value;
    }

    /// <summary>Which answers are recorded, a share of them.</summary>
    public AnswerFilter Filter { get; init; } = AnswerFilter.None;

    /// <summary>How long a stop waits for the records that are left: a collector may hang.</summary>
    internal TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(2);

    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    public long Written => Interlocked.Read(ref _written);

    /// <summary>Records that found no room, or could not be written.</summary>
    public long Lost => Interlocked.Read(ref _lost);

    public void OnAnswer(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts)
    {
        if (!_isOn || answer.Length < MessageHeader.LengthOctets || !Filter.Takes(answer, ref client)
            || !_share.Takes(answer, facts.Ended)) return;
        if (!_free.TryTake(out AnswerRecord? record) && (record = MakeOne()) is null)
        {
            Interlocked.Increment(ref _lost);
            return;
        }
        record.Fill(answer, ref client, in facts);
        if (!_full.TryAdd(record))
        {
            Release(record);
            Interlocked.Increment(ref _lost);
            return;
        }
        // The thread looks by itself often enough for a server that is not busy.
        if (_full.Added % WakeEvery == 0) _wake.Set();
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "records" };
        _thread.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        _isStopping = true;
        _wake.Set();
        if (_thread?.Join(StopTimeout) == false) GiveUp();
        return Task.CompletedTask;
    }

    /// <summary>The thread waits for the sink: what is left is lost, and disposing the sink ends the wait.</summary>
    private void GiveUp()
    {
        int left = 0;
        for (; _full.TryTake(out AnswerRecord? record); left++) Release(record);
        Interlocked.Add(ref _lost, left);
        _logger.RecordsLost(_sink.Name, left, "it did not take them within the time of a stop");
    }

    public void Dispose()
    {
        _sink.Dispose();
        _wake.Dispose();
    }

    internal void Drain()
    {
        while (_full.TryTake(out AnswerRecord? record))
        {
            _pending++;
            try
            {
                // Each further try may take as long as the first.
                if (_hasFailedAtEnd) CountLost();
                else Write(record);
            }
            finally
            {
                Release(record);
            }
        }
        if (_pending > 0) Flush();
        if (Lost > _reportedLost && IsReportDue) ReportLost();
    }

    private bool IsReportDue => !_hasReported || _clock.GetElapsedTime(_reportedAt) >= ReportInterval;

    private void Run()
    {
        while (!_isStopping)
        {
            _wake.Wait(IntervalMs);
            _wake.Reset();
            Exceptions.TryRun(TelemetryLoops.AnswerRecorder, Drain);
        }
        Exceptions.TryRun(TelemetryLoops.AnswerRecorder, Drain);
    }

    private void Write(AnswerRecord record)
    {
        AnswerFacts facts = record.Facts;
        try
        {
            DateTimeOffset began = _clock.GetUtcNow() - _clock.GetElapsedTime(facts.Began);
            _sink.Write(record, began, _clock.GetElapsedTime(facts.Began, facts.Ended));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Lose(error);
        }
    }

    private void Flush()
    {
        try
        {
            _sink.Flush();
            Interlocked.Add(ref _written, _pending);
            _pending = 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Lose(error);
        }
    }

    private void CountLost()
    {
        Interlocked.Add(ref _lost, _pending);
        _pending = 0;
    }

    private void Lose(Exception error)
    {
        CountLost();
        _hasFailedAtEnd |= _isStopping;
        _problem ??= error.Message.ReplaceLineEndings(" ");
        if (IsReportDue) ReportLost();
    }

    private void ReportLost()
    {
        long lost = Lost - _reportedLost;
        (_hasReported, _reportedAt, _reportedLost) = (true, _clock.GetTimestamp(), Lost);
        _logger.RecordsLost(_sink.Name, lost, _problem ?? "more answers than can be written");
        _problem = null;
    }

    private AnswerRecord? MakeOne()
    {
        if (Volatile.Read(ref _made) >= Capacity) return null;
        if (Interlocked.Increment(ref _made) <= Capacity) return new AnswerRecord();
        Interlocked.Decrement(ref _made);
        return null;
    }

    // The ring may have no place: a preempted thread holds one until it continues. Then another record may be made.
    private void Release(AnswerRecord record)
    {
        record.Clear();
        if (!_free.TryAdd(record)) Interlocked.Decrement(ref _made);
    }
}

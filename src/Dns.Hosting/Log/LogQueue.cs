using Serilog.Core;
using Serilog.Events;

namespace Dns.Hosting.Log;

/// <summary>
/// The queue between the threads that log and the sinks, which may hang: a pipe without a reader, a network file
/// system. A thread of its own writes all lines in their order. Callers never wait for a sink: a line that finds no
/// room is lost and counted. Thread-safe. A waiting line takes about a kibibyte.
/// </summary>
public sealed class LogQueue : ILogEventSink, IDisposable
{
    internal const int Capacity = 10_000;

    private static readonly TimeSpan ReportInterval = TimeSpan.FromMinutes(1);

    private readonly TimeProvider _clock;
    private readonly Action<string> _errors;
    private readonly Thread _thread;
    private readonly object _gate = new();
    // Events of the log, and strings for standard error.
    private readonly Queue<object> _lines = [];
    private Logger? _sinks;
    private bool _isStopping;
    private long _lost, _lostSince;

    /// <summary>Creates one that writes from now on.</summary>
    /// <param name="errors">Writes a line to standard error, which may hang too.</param>
    public LogQueue(TimeProvider clock, Action<string> errors)
    {
        (_clock, _errors) = (clock, errors);
        // In the background: the process ends while a sink hangs.
        _thread = new Thread(Run) { IsBackground = true, Name = "log" };
        _thread.Start();
        // An exception ends the process, and sometimes a start, without Dispose.
        AppDomain.CurrentDomain.UnhandledException += OnEnd;
        AppDomain.CurrentDomain.ProcessExit += OnEnd;
    }

    /// <summary>How long <see cref="Dispose"/> waits for the lines that are left.</summary>
    public TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Logs how many lines were lost. The thread calls it when the queue is empty again, or a minute after the first of
    /// them while the sinks are slow.
    /// </summary>
    public Action<long>? Lost { get; set; }

    /// <summary>Sets where lines go, before the first one.</summary>
    /// <param name="sinks">Takes every level. Disposed by the thread after the last line.</param>
    public void WriteTo(Logger sinks)
    {
        lock (_gate) _sinks = sinks;
    }

    public void Emit(LogEvent logEvent) => Add(logEvent);

    /// <summary>Writes a line to standard error, in its place among those of the log.</summary>
    public void WriteError(string line) => Add(line);

    /// <summary>Waits until all lines are written, at most <see cref="StopTimeout"/>; later ones are ignored.</summary>
    public void Dispose()
    {
        AppDomain.CurrentDomain.UnhandledException -= OnEnd;
        AppDomain.CurrentDomain.ProcessExit -= OnEnd;
        lock (_gate)
        {
            _isStopping = true;
            Monitor.Pulse(_gate);
        }
        if (!_thread.Join(StopTimeout)) GiveUp();
    }

    private void OnEnd(object? sender, EventArgs e) => Dispose();

    /// <summary>A sink hangs: the thread ends with the process, or when the sink continues.</summary>
    private void GiveUp()
    {
        lock (_gate)
        {
            _lines.Clear();
            _lost = 0;
        }
    }

    private void Add(object line)
    {
        // The report of losses, and failures of sinks: they have no room to wait for.
        if (Thread.CurrentThread == _thread)
        {
            Write(line);
            return;
        }
        lock (_gate)
        {
            if (_isStopping) return;
            if (_lines.Count < Capacity)
            {
                _lines.Enqueue(line);
                Monitor.Pulse(_gate);
            }
            else if (_lost++ == 0) _lostSince = _clock.GetTimestamp();
        }
    }

    private void Run()
    {
        while (TryTake(out object? line, out long lost))
        {
            if (lost > 0) Lost?.Invoke(lost);
            if (line is not null) Write(line);
        }
        try
        {
            _sinks?.Dispose();
        }
        catch (Exception error)
        {
            // A full disk for its last lines must not look like a crash.
            WriteError("dnsd: log: it was not ended: " + error.Message.ReplaceLineEndings(" "));
        }
    }

    /// <summary>Waits for the next line, or for a number of lost ones to report. False at the end.</summary>
    private bool TryTake(out object? line, out long lost)
    {
        lock (_gate)
        {
            while (_lines.Count == 0 && _lost == 0 && !_isStopping) Monitor.Wait(_gate);
            lost = 0;
            if (_lost > 0 && (_lines.Count == 0 || _clock.GetElapsedTime(_lostSince) >= ReportInterval))
                (lost, _lost) = (_lost, 0);
            return _lines.TryDequeue(out line) || lost > 0;
        }
    }

    private void Write(object line)
    {
        try
        {
            if (line is LogEvent logEvent) _sinks?.Write(logEvent);
            else _errors((string)line);
        }
        catch (AggregateException error)
        {
            // A sink of AuditTo; Serilog reports failures of the others itself.
            WriteError("dnsd: log: " + EscapingWriter.EscapePart(error.Message));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // Standard error does not take it either.
        }
    }
}

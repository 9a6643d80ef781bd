using System.Diagnostics;
using System.Numerics;

namespace Dns.Bench;

/// <summary>Load over UDP, on the calling thread: closed (as answers come) or open (at a rate).</summary>
internal sealed class UdpLoad : IDisposable
{
    private const int SendBatch = 64;
    private const int SlotOctets = 4096;
    private const int OpenRing = 4096;
    private readonly LoadPlan _plan;
    private readonly LoadResult _result = new();
    private readonly UdpFlow[] _flows;
    private readonly LinuxSockets.Batch _send = new(SendBatch, SlotOctets, hasPeers: false);
    private readonly LinuxSockets.Batch _receive = new(SendBatch, SlotOctets, hasPeers: false);
    private readonly long _timeoutTicks;
    private int _next;
    private long _progressAt;

    internal UdpLoad(LoadPlan plan)
    {
        _plan = plan;
        _timeoutTicks = plan.TimeoutMs * Stopwatch.Frequency / 1000;
        int ring =
            plan.Rate > 0 ? OpenRing : Math.Max(256, (int)BitOperations.RoundUpToPowerOf2((uint)plan.Window * 4));
        _flows = new UdpFlow[plan.Sockets];
        for (int i = 0; i < _flows.Length; i++)
            _flows[i] = new UdpFlow(plan.Server, Math.Min(ring, 32768), plan.TimeoutMs);
    }

    /// <summary>Runs to the end of the plan; queries in flight then have the timeout to be answered.</summary>
    internal LoadResult Run()
    {
        long began = Stopwatch.GetTimestamp();
        long end = began + (long)(_plan.Seconds * Stopwatch.Frequency);
        _progressAt = began + Stopwatch.Frequency;
        long last = _plan.Rate > 0 ? RunOpen(began, end) : RunClosed(end);
        _result.Seconds = Stopwatch.GetElapsedTime(began, last).TotalSeconds;
        return _result;
    }

    private long RunClosed(long end)
    {
        long now = Stopwatch.GetTimestamp();
        foreach (UdpFlow flow in _flows)
            flow.Send(_send, _plan.Queries, ref _next, _plan.Window, now, _result, _plan.Segments);
        while (now < end)
        {
            foreach (UdpFlow flow in _flows)
            {
                // Waiting for one client starves no other: the server serves all of them in turn.
                now = Receive(flow, LinuxSockets.WaitForOne);
                int free = _plan.Window - flow.Pending.Count;
                if (free > 0 && now < end)
                    flow.Send(_send, _plan.Queries, ref _next, free, now, _result, _plan.Segments);
            }
            Report(now);
        }
        Drain();
        return now;
    }

    private long RunOpen(long began, long end)
    {
        int[] handles = [.. _flows.Select(flow => flow.Handle)];
        bool[] readable = new bool[handles.Length];
        double ticksPerQuery = Stopwatch.Frequency / _plan.Rate;
        long sent = 0, now, late = _plan.MaxLateMs > 0 ? (long)(_plan.Rate * _plan.MaxLateMs / 1000) : long.MaxValue;
        int turn = 0;
        while ((now = Stopwatch.GetTimestamp()) < end)
        {
            long leftOut = Math.Max(0, (long)((now - began) / ticksPerQuery) - sent - late);
            sent += leftOut;
            _result.LeftOut += leftOut;
            // Latency counts from when a query was due, not from when the generator sent it.
            for (long due = (long)((now - began) / ticksPerQuery); sent < due;)
            {
                int count = (int)Math.Min(due - sent, 8);
                _flows[turn].Send(_send, _plan.Queries, ref _next, count, began + (long)(sent * ticksPerQuery), _result,
                    _plan.Segments);
                turn = (turn + 1) % _flows.Length;
                sent += count;
            }
            TimeSpan untilDue =
                Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), began + (long)((sent + 1) * ticksPerQuery));
            LinuxSockets.WaitReadable(handles, readable, untilDue > TimeSpan.Zero ? untilDue : TimeSpan.Zero);
            for (int i = 0; i < _flows.Length; i++)
                if (readable[i]) Receive(_flows[i], LinuxSockets.DontWait);
            Report(now);
        }
        Drain();
        return now;
    }

    private long Receive(UdpFlow flow, int flags)
    {
        int count = _receive.Receive(flow.Handle, flags);
        long now = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++) flow.Pending.Take(_receive.Received(i), _plan.Queries, now, _result);
        if (count == 0) flow.Pending.GiveUp(now - _timeoutTicks, _result);
        return now;
    }

    private void Drain()
    {
        long deadline = Stopwatch.GetTimestamp() + _timeoutTicks;
        foreach (UdpFlow flow in _flows)
        {
            while (flow.Pending.Count > 0 && Stopwatch.GetTimestamp() < deadline)
                Receive(flow, LinuxSockets.WaitForOne);
            flow.Pending.GiveUp(long.MaxValue, _result);
        }
    }

    private void Report(long now)
    {
        if (now < _progressAt || _plan.Progress is null) return;
        _progressAt += Stopwatch.Frequency;
        _plan.Progress(_result.Answered);
    }

    public void Dispose()
    {
        foreach (UdpFlow flow in _flows) flow.Dispose();
        _send.Dispose();
        _receive.Dispose();
    }
}

namespace Dns.Features;

/// <summary>
/// Ticks the features on a dedicated thread: if the pool is busy during an attack, the time of rate limiting must
/// advance, or it would pass nothing.
/// </summary>
public sealed class FeatureClock(FeatureSet features, IExceptionSink exceptions) : IDisposable
{
    /// <summary>Its label in metrics.</summary>
    public const string LoopName = "defence_clock";

    private const int IntervalMs = 100;

    private readonly ManualResetEventSlim _stop = new();
    private Thread? _thread;

    /// <summary>Ticks once, and regularly from now on.</summary>
    public void Start()
    {
        Tick();
        _thread = new Thread(Run) { IsBackground = true, Name = "features" };
        _thread.Start();
    }

    /// <summary>Ends it.</summary>
    public void Dispose()
    {
        _stop.Set();
        _thread?.Join();
        _stop.Dispose();
    }

    private void Run()
    {
        while (!_stop.Wait(IntervalMs)) Tick();
    }

    private void Tick()
    {
        foreach (Feature feature in features.All) exceptions.TryRun(LoopName, feature.Tick);
    }
}

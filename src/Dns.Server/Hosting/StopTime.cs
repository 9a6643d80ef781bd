using Microsoft.Extensions.Hosting;

namespace Dns.Server.Hosting;

/// <summary>The time budget of a stop, shared by all parts of the server: their waits do not add up.</summary>
internal sealed class StopTime
{
    internal static readonly TimeSpan InAll = TimeSpan.FromSeconds(4);

    // A minimum for sending finished answers, even when the budget is used up.
    private static readonly TimeSpan Least = TimeSpan.FromMilliseconds(500);

    private readonly TimeProvider _clock;
    private long _began;

    /// <summary>Starts with the stop of the host.</summary>
    public StopTime(TimeProvider clock, IHostApplicationLifetime lifetime)
    {
        _clock = clock;
        lifetime.ApplicationStopping.Register(() => _began = clock.GetTimestamp());
    }

    /// <summary>The remaining time.</summary>
    public TimeSpan Left
    {
        get
        {
            TimeSpan left = _began == 0 ? InAll : InAll - _clock.GetElapsedTime(_began);
            return left > Least ? left : Least;
        }
    }
}

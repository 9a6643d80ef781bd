using Microsoft.Extensions.Hosting;

namespace Dns.Server;

/// <summary>
/// The time that a stop takes, over all parts of the server: each waits as long as is left for clients, so that their waits
/// do not add up.
/// </summary>
internal sealed class StopTime
{
    /// <summary>How long the parts that wait for clients may take together.</summary>
    internal static readonly TimeSpan InAll = TimeSpan.FromSeconds(4);

    // What has been answered may be sent also where other parts have used the time up.
    private static readonly TimeSpan Least = TimeSpan.FromMilliseconds(500);

    private readonly TimeProvider _clock;
    private long _began;

    /// <summary>Begins with the stop of the host.</summary>
    public StopTime(TimeProvider clock, IHostApplicationLifetime lifetime)
    {
        _clock = clock;
        lifetime.ApplicationStopping.Register(() => _began = clock.GetTimestamp());
    }

    /// <summary>What is left now.</summary>
    public TimeSpan Left
    {
        get
        {
            TimeSpan left = _began == 0 ? InAll : InAll - _clock.GetElapsedTime(_began);
            return left > Least ? left : Least;
        }
    }
}

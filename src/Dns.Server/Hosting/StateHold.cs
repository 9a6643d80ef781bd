using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>
/// Holds the state directory, so that no second server changes keys, journals and copies there. In a takeover the
/// replaced server has it until its end.
/// </summary>
internal sealed class StateHold : IDisposable
{
    private DirectoryLock? _lock;
    private string? _fault;

    /// <summary>The state directory, which may be missing; null = none.</summary>
    public string? Directory { get; set; }

    /// <summary>
    /// Makes a missing directory whose parent is there. Two servers that each find none would else both begin to use
    /// it. Where it cannot be made, the first write says why.
    /// </summary>
    public void Make()
    {
        if (Directory is null || System.IO.Directory.Exists(Directory)
            || !System.IO.Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(Directory)))) return;
        try
        {
            if (OperatingSystem.IsWindows()) System.IO.Directory.CreateDirectory(Directory);
            else System.IO.Directory.CreateDirectory(Directory,
                UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // As on a file system that is only read.
        }
    }

    /// <summary>Takes it. A directory that is missing is taken once it is there, by <see cref="Follower"/>.</summary>
    /// <param name="isOfAnother">Whether another process has it.</param>
    /// <param name="patience">How long another process may have it.</param>
    /// <returns>Whether there is nothing more to take.</returns>
    public bool TryTake(out bool isOfAnother, TimeSpan patience = default)
    {
        isOfAnother = false;
        if (Directory is not null) _lock ??= DirectoryLock.TryTake(Directory, out isOfAnother, out _fault, patience);
        return Directory is null || _lock is not null;
    }

    /// <inheritdoc/>
    public void Dispose() => _lock?.Dispose();

    /// <summary>Takes the directory when it has been made, or the replaced server has ended.</summary>
    internal sealed class Follower(StateHold hold, TimeProvider clock, ILogger<StateHold> logger) : BackgroundService
    {
        private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

        /// <summary>The replaced server may have that long to end.</summary>
        private const int PatientLooks = 60;

        private int _looks;
        private bool _isFaultLogged;

        /// <inheritdoc/>
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            using PeriodicTimer timer = new(Interval, clock);
            while (!Look()) await timer.WaitForNextTickAsync(stoppingToken).ConfigureAwait(false);
        }

        /// <summary>Tries to take it; returns whether there is nothing more to take.</summary>
        internal bool Look()
        {
            if (hold.TryTake(out bool isOfAnother)) return true;
            if (hold._fault is { } fault && !_isFaultLogged) logger.StateNotLocked(hold.Directory, fault);
            _isFaultLogged |= hold._fault is not null;
            if (isOfAnother && ++_looks == PatientLooks) logger.StateShared(hold.Directory);
            return false;
        }
    }
}

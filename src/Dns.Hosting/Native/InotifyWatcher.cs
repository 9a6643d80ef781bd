using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dns.Hosting.Native;

/// <summary>
/// Watches directories through inotify(7): a file counts as written when its writer closes it or it is renamed into
/// place, so that it is never read half-written.
/// </summary>
/// <remarks>
/// <code>
/// struct inotify_event
/// +--------+--------+--------+--------+----------------------------+
/// | wd     | mask   | cookie | len    | name, padded with NUL      |
/// | 4      | 4      | 4      | 4      | len                        |
/// +--------+--------+--------+--------+----------------------------+
/// </code>
/// One thread calls <see cref="Watch"/> and <see cref="Wait"/>; any may call <see cref="Wake"/>.
/// </remarks>
[SupportedOSPlatform("linux")]
public sealed class InotifyWatcher : IDirectoryWatcher
{
    private const uint ClosedAfterWrite = 0x8, MovedFrom = 0x40, MovedTo = 0x80, Created = 0x100, Deleted = 0x200;
    private const uint SelfDeleted = 0x400, SelfMoved = 0x800, Unmounted = 0x2000, Overflowed = 0x4000,
        Ignored = 0x8000;
    private const uint OnlyDirectories = 0x0100_0000, IsDirectory = 0x4000_0000;
    private const uint Wanted =
        ClosedAfterWrite | MovedFrom | MovedTo | Created | Deleted | SelfDeleted | SelfMoved | OnlyDirectories;

    private const int HeaderOctets = 16;
    private const int NoSpace = 28;

    private readonly SafeFileHandle _inotify, _wake;
    // A directory may have several names through links: the system has one watch for all, and each gets the event.
    private readonly Dictionary<int, List<string>> _directories = [];
    private readonly Dictionary<string, int> _watches = [];
    // Reads return whole events only; the longest has a name of 255 octets.
    private readonly byte[] _buffer = new byte[64 * 1024];

    private InotifyWatcher(SafeFileHandle inotify, SafeFileHandle wake) => (_inotify, _wake) = (inotify, wake);

    /// <summary>Opens it; null, with the reason, if the system's limits are reached.</summary>
    public static InotifyWatcher? TryCreate(out string problem)
    {
        SafeFileHandle inotify =
            new(InotifyCalls.Initialise(InotifyCalls.NonBlocking | InotifyCalls.CloseOnExec), true);
        problem = inotify.IsInvalid ? LastError() : "";
        if (inotify.IsInvalid) return null;
        SafeFileHandle wake =
            new(InotifyCalls.CreateEvent(0, InotifyCalls.NonBlocking | InotifyCalls.CloseOnExec), true);
        if (!wake.IsInvalid) return new InotifyWatcher(inotify, wake);
        problem = LastError();
        inotify.Dispose();
        return null;
    }

    public WatchOutcome Watch(string directory, out string problem)
    {
        problem = "";
        // For a known directory it returns its watch, or another one if a symlink leads elsewhere now.
        int watch = InotifyCalls.AddWatch(_inotify, directory, Wanted);
        if (watch < 0)
        {
            problem = LastError();
            return Marshal.GetLastPInvokeError() == NoSpace ? WatchOutcome.OutOfWatches : WatchOutcome.NotThere;
        }
        bool isKnown = _watches.TryGetValue(directory, out int before);
        if (isKnown && before == watch) return WatchOutcome.Watched;
        if (isKnown) Forget(directory, before);
        if (!_directories.TryGetValue(watch, out List<string>? names)) _directories.Add(watch, names = []);
        names.Add(directory);
        _watches[directory] = watch;
        return isKnown ? WatchOutcome.Replaced : WatchOutcome.Watched;
    }

    public void Wait(ICollection<DirectoryChange> changes, TimeSpan timeout)
    {
        Span<InotifyCalls.PollEntry> entries =
        [
            new() { Descriptor = (int)_inotify.DangerousGetHandle(), Events = InotifyCalls.PollIn },
            new() { Descriptor = (int)_wake.DangerousGetHandle(), Events = InotifyCalls.PollIn },
        ];
        int timeoutMs = timeout == Timeout.InfiniteTimeSpan
            ? -1 : (int)Math.Clamp(Math.Ceiling(timeout.TotalMilliseconds), 0, int.MaxValue);
        InotifyCalls.Poll(entries, 2, timeoutMs);
        InotifyCalls.Read(_wake, _buffer, 8);
        int octets = (int)InotifyCalls.Read(_inotify, _buffer, (nuint)_buffer.Length);
        for (int at = 0; at + HeaderOctets <= octets;)
        {
            ReadOnlySpan<byte> header = _buffer.AsSpan(at, HeaderOctets);
            int nameOctets = BinaryPrimitives.ReadInt32LittleEndian(header[12..]);
            ReadOnlySpan<byte> name = _buffer.AsSpan(at + HeaderOctets, nameOctets);
            Take(BinaryPrimitives.ReadInt32LittleEndian(header), BinaryPrimitives.ReadUInt32LittleEndian(header[4..]),
                name, changes);
            at += HeaderOctets + nameOctets;
        }
    }

    public void Wake() => InotifyCalls.Write(_wake, BitConverter.GetBytes(1UL), 8);

    public void Dispose()
    {
        _inotify.Dispose();
        _wake.Dispose();
    }

    private void Forget(string directory, int watch)
    {
        List<string> names = _directories[watch];
        names.Remove(directory);
        if (names.Count > 0) return;
        _directories.Remove(watch);
        InotifyCalls.RemoveWatch(_inotify, watch);
    }

    private void Take(int watch, uint mask, ReadOnlySpan<byte> name, ICollection<DirectoryChange> changes)
    {
        if ((mask & Overflowed) != 0) changes.Add(new DirectoryChange(DirectoryChangeKind.Overflow, "", ""));
        if (!_directories.TryGetValue(watch, out List<string>? names)) return;
        if ((mask & (SelfDeleted | SelfMoved | Unmounted | Ignored)) != 0)
        {
            // A watch follows its moved directory; only the directory that now has the name counts.
            _directories.Remove(watch);
            foreach (string directory in names) _watches.Remove(directory);
            if ((mask & SelfMoved) != 0) InotifyCalls.RemoveWatch(_inotify, watch);
            changes.Add(new DirectoryChange(DirectoryChangeKind.DirectoryGone, names[0], ""));
            return;
        }
        int end = name.IndexOf((byte)0);
        string fileName = Encoding.UTF8.GetString(end < 0 ? name : name[..end]);
        if (KindOf(mask) is not { } kind) return;
        foreach (string directory in names) changes.Add(new DirectoryChange(kind, directory, fileName));
    }

    private static DirectoryChangeKind? KindOf(uint mask)
    {
        bool isDirectory = (mask & IsDirectory) != 0;
        if ((mask & (ClosedAfterWrite | MovedTo)) != 0 && !isDirectory) return DirectoryChangeKind.Written;
        if ((mask & (MovedFrom | Deleted)) != 0 && !isDirectory) return DirectoryChangeKind.Vanished;
        return (mask & (Created | MovedTo)) != 0 ? DirectoryChangeKind.Appeared : null;
    }

    private static string LastError() => Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());
}

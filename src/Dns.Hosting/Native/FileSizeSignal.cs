namespace Dns.Hosting.Native;

/// <summary>
/// The signal of a write beyond the limit of a file's size (RLIMIT_FSIZE), which would end the process; ignored, such a
/// write fails like one on a full disk.
/// </summary>
public static class FileSizeSignal
{
    private const PosixSignal Number = (PosixSignal)25;

    // Never disposed: the signal would end the process again.
    private static PosixSignalRegistration? s_ignored;

    public static void Ignore()
    {
        if (OperatingSystem.IsLinux())
            s_ignored ??= PosixSignalRegistration.Create(Number, static context => context.Cancel = true);
    }
}

using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Dns.Transport.Tests;

/// <summary>
/// A network namespace with the thread that lives in it. Sockets that are made on the thread belong to the
/// namespace wherever they are used; it goes away with the thread and the last of them.
/// </summary>
internal sealed class NetworkNamespace : IDisposable
{
    private const int NewNetwork = 0x40000000;

    private readonly BlockingCollection<Action> _work = [];

    public NetworkNamespace()
    {
        new Thread(() =>
        {
            foreach (Action action in _work.GetConsumingEnumerable())
            {
                action();
            }
        }) { IsBackground = true }.Start();
        ThreadId = Run(() =>
        {
            Assert.Equal(0, Unshare(NewNetwork));
            return new FileInfo("/proc/thread-self").LinkTarget!.Split('/')[^1];
        });
    }

    /// <summary>The thread as <c>ip link set netns</c> knows it.</summary>
    public string ThreadId { get; }

    /// <summary>Runs something inside, and has it throw here.</summary>
    public T Run<T>(Func<T> action)
    {
        TaskCompletionSource<T> done = new();
        _work.Add(() =>
        {
            try
            {
                done.SetResult(action());
            }
            catch (Exception error)
            {
                done.SetException(error);
            }
        });
        ((IAsyncResult)done.Task).AsyncWaitHandle.WaitOne();
        if (done.Task.Exception?.InnerException is Exception failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }

        return done.Task.Result;
    }

    /// <summary>Runs <c>ip</c> inside: a child process inherits the namespace of its thread.</summary>
    public string Ip(string arguments) => Run(() =>
    {
        using Process process = Process.Start(
            new ProcessStartInfo("ip", arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        string said = process.StandardOutput.ReadToEnd();
        string complaint = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"ip {arguments}: {complaint}");
        return said;
    });

    public void Dispose() => _work.CompleteAdding();

    [DllImport("libc", EntryPoint = "unshare")]
    private static extern int Unshare(int flags);
}

using System.Runtime.Versioning;
using Microsoft.Extensions.Hosting;

namespace Dns.Hosting.Native;

/// <summary>
/// This process as a service of Windows. The service control manager starts the program with <c>run
/// --windows-service</c>; its thread runs here until the service has stopped, the server on a thread created by the
/// manager.
/// </summary>
/// <remarks>A process is one service, so its state is static: the manager's callbacks carry no state.</remarks>
[SupportedOSPlatform("windows")]
public static unsafe class WindowsService
{
    private const uint WaitHintMs = 30_000;

    private static readonly Lock Gate = new();
    private static Func<int>? s_server;
    private static IHostApplicationLifetime? s_lifetime;
    private static nint s_handle;
    private static uint s_state = WindowsServiceCalls.StartPending;
    private static uint s_checkPoint;
    private static bool s_stopAsked;
    private static int s_exitCode;

    /// <summary>Whether this process runs as a service.</summary>
    public static bool IsRunning => s_server is not null;

    /// <summary>Runs the server as a service, to its end.</summary>
    /// <param name="errors">Receives an error if no manager started this process.</param>
    public static int Run(Func<int> server, TextWriter errors)
    {
        s_server = server;
        fixed (char* name = ServiceDefinition.Name)
        {
            ServiceTableEntry* table = stackalloc ServiceTableEntry[2];
            table[0] = new ServiceTableEntry { Name = name, Main = &Serve };
            table[1] = default;
            if (WindowsServiceCalls.StartDispatcher(table) != 0) return s_exitCode;
        }
        int error = Marshal.GetLastPInvokeError();
        errors.WriteLine(error == WindowsServiceCalls.NotAService
            ? "dnsd: error: --windows-service is for the service control manager; \"dnsd run\" serves from a console"
            : $"dnsd: error: the service control manager: {Marshal.GetPInvokeErrorMessage(error)}");
        return ExitCode.Bad;
    }

    /// <summary>Follows the host: running once it has started, stopped on the manager's request.</summary>
    public static void Follow(IHostApplicationLifetime lifetime)
    {
        lock (Gate)
        {
            s_lifetime = lifetime;
            if (s_stopAsked) lifetime.StopApplication();
        }
        lifetime.ApplicationStarted.Register(() => Report(WindowsServiceCalls.Running));
        lifetime.ApplicationStopping.Register(() => Report(WindowsServiceCalls.StopPending));
    }

    [UnmanagedCallersOnly]
    private static void Serve(uint argumentCount, nint arguments)
    {
        s_handle = WindowsServiceCalls.RegisterHandler(ServiceDefinition.Name, &OnControl, 0);
        Report(WindowsServiceCalls.StartPending);
        try
        {
            s_exitCode = s_server!();
        }
        catch (Exception error)
        {
            // No exception may reach the manager's thread; the log has the error.
            EventLogSink.WriteError(error.ToString());
            s_exitCode = ExitCode.Bad;
        }
        Report(WindowsServiceCalls.Stopped);
    }

    [UnmanagedCallersOnly]
    private static uint OnControl(uint control, uint kind, nint data, nint context)
    {
        switch (control)
        {
            case WindowsServiceCalls.ControlStop or WindowsServiceCalls.ControlShutdown:
                Report(WindowsServiceCalls.StopPending);
                lock (Gate)
                {
                    s_stopAsked = true;
                    // Waiting for the stop would block the manager's thread.
                    if (s_lifetime is { } lifetime) ThreadPool.QueueUserWorkItem(_ => lifetime.StopApplication());
                }
                return 0;
            case WindowsServiceCalls.ControlInterrogate:
                return 0;
            default:
                return WindowsServiceCalls.CallNotImplemented;
        }
    }

    private static void Report(uint state)
    {
        lock (Gate)
        {
            // A stopping service does not return to running, even by a late event.
            if (s_state is WindowsServiceCalls.StopPending && state is WindowsServiceCalls.Running) return;
            s_state = state;
            bool isPending = state is WindowsServiceCalls.StartPending or WindowsServiceCalls.StopPending;
            ServiceStatus status = new()
            {
                Type = WindowsServiceCalls.OwnProcess,
                State = state,
                Accepted = state == WindowsServiceCalls.Running
                    ? WindowsServiceCalls.AcceptStop | WindowsServiceCalls.AcceptShutdown : 0,
                ExitCode = s_exitCode == 0 ? 0 : WindowsServiceCalls.ServiceSpecificError,
                SpecificExitCode = (uint)s_exitCode,
                CheckPoint = isPending ? ++s_checkPoint : 0,
                WaitHintMs = isPending ? WaitHintMs : 0,
            };
            WindowsServiceCalls.SetStatus(s_handle, &status);
        }
    }
}

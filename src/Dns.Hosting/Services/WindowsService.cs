using System.Runtime.Versioning;
using System.ServiceProcess;
using Microsoft.Extensions.Hosting;

namespace Dns.Hosting.Services;

/// <summary>
/// This process as a service of Windows. The service control manager starts the program with <c>run
/// --windows-service</c>; the server runs on a thread of its own.
/// </summary>
/// <remarks>
/// The host's own lifetime for services would connect to the manager only after the server is assembled, so that
/// the manager would never receive the result of a server that cannot start.
/// </remarks>
[SupportedOSPlatform("windows")]
public static class WindowsService
{
    // Nested: on other systems this class is used without loading the library.
    private static Service? s_current;

    /// <summary>Whether this process runs as a service.</summary>
    public static bool IsRunning => s_current is not null;

    /// <summary>Runs the server as a service, to its end.</summary>
    /// <param name="errors">Receives an error if no manager started this process.</param>
    public static int Run(Func<int> server, TextWriter errors)
    {
        using Service service = s_current = new Service(server);
        try
        {
            ServiceBase.Run(service);
        }
        catch (OperationCanceledException) when (service.Result is not null)
        {
            // The server has not started: the event log has the reasons.
        }
        if (service.Result is { } result) return result.GetAwaiter().GetResult();
        errors.WriteLine("dnsd: error: --windows-service is for the service control manager; \"dnsd run\" serves "
            + "from a console");
        return ExitCode.Bad;
    }

    /// <summary>Follows the host: running once it has started, stopped on the manager's request.</summary>
    public static void Follow(IHostApplicationLifetime lifetime) => s_current!.Follow(lifetime);

    private sealed class Service : ServiceBase
    {
        private const int WaitHintMs = 30_000, ServiceSpecificError = 1066;

        private readonly Func<int> _server;
        private readonly TaskCompletionSource _started = new();
        private IHostApplicationLifetime? _lifetime;
        private bool _isStopping;

        internal Service(Func<int> server)
        {
            _server = server;
            ServiceName = ServiceDefinition.Name;
            CanShutdown = true;
            AutoLog = false;
        }

        /// <summary>The exit code of the server; null if no manager has started it.</summary>
        internal Task<int>? Result { get; private set; }

        internal void Follow(IHostApplicationLifetime lifetime)
        {
            _lifetime = lifetime;
            lifetime.ApplicationStarted.Register(_started.SetResult);
        }

        /// <exception cref="OperationCanceledException">The server has ended.</exception>
        protected override void OnStart(string[] args)
        {
            RequestAdditionalTime(WaitHintMs);
            Result = Task.Factory.StartNew(Serve, TaskCreationOptions.LongRunning);
            if (Task.WaitAny(Result, _started.Task) == 0) throw new OperationCanceledException();
            Result.ContinueWith(_ => { if (!_isStopping) Stop(); }, TaskScheduler.Default);
        }

        protected override void OnStop()
        {
            _isStopping = true;
            RequestAdditionalTime(WaitHintMs);
            _lifetime!.StopApplication();
            Result!.Wait();
        }

        protected override void OnShutdown() => Stop();

        private int Serve()
        {
            int exitCode = Hosting.ExitCode.Bad;
            try
            {
                exitCode = _server();
            }
            catch (Exception error)
            {
                EventLogSink.WriteError(error.ToString());
            }
            ExitCode = exitCode == Hosting.ExitCode.Good ? 0 : ServiceSpecificError;
            return exitCode;
        }
    }
}

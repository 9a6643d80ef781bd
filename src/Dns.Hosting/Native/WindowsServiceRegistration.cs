using System.Diagnostics;
using System.Runtime.Versioning;
using System.Security;

namespace Dns.Hosting.Native;

/// <summary>The server as a service in the service control manager of Windows.</summary>
[SupportedOSPlatform("windows")]
public sealed unsafe class WindowsServiceRegistration(TimeProvider clock) : IServiceRegistration
{
    private const string LocalService = @"NT AUTHORITY\LocalService";
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(30);

    private delegate int ServiceCall(nint handle);

    public static string CommandOf(ServiceDefinition service) =>
        $"\"{service.Program}\" run --windows-service --config \"{service.Config}\"";

    public int Install(ServiceDefinition service, TextWriter output, TextWriter errors)
    {
        try
        {
            service.WriteSettings(service.Config, output);
            if (!EventLog.SourceExists(ServiceDefinition.Name))
                EventLog.CreateEventSource(ServiceDefinition.Name, "Application");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or SecurityException)
        {
            errors.WriteLine(
                $"dnsd: error: {error.Message.ReplaceLineEndings(" ")} (installing a service needs an administrator)");
            return ExitCode.Bad;
        }
        return WithManager(WindowsServiceCalls.AllManagerAccess, errors, manager =>
        {
            nint made = WindowsServiceCalls.CreateService(
                manager, ServiceDefinition.Name, ServiceDefinition.Description, WindowsServiceCalls.AllServiceAccess,
                WindowsServiceCalls.OwnProcess, WindowsServiceCalls.AutoStart, WindowsServiceCalls.ErrorNormal,
                CommandOf(service), null, 0, null, service.User ?? LocalService, null);
            if (made == 0) return Failed(errors, "creating the service");
            try
            {
                Describe(made);
                output.WriteLine($"created the service {ServiceDefinition.Name}: {CommandOf(service)}");
                if (WindowsServiceCalls.Start(made, 0, 0) == 0) return Failed(errors, "starting the service");
                output.WriteLine($"{ServiceDefinition.Name} starts; its log is in the event log, Application");
                return ExitCode.Good;
            }
            finally
            {
                WindowsServiceCalls.Close(made);
            }
        });
    }

    public int Show(ServiceDefinition service, TextWriter output)
    {
        output
            .WriteLine($"service:  {ServiceDefinition.Name} ({ServiceDefinition.Description}), starts with the system");
        output.WriteLine($"command:  {CommandOf(service)}");
        output.WriteLine($"account:  {service.User ?? LocalService}");
        return ExitCode.Good;
    }

    public int Uninstall(TextWriter output, TextWriter errors) => WithService(WindowsServiceCalls.AllServiceAccess,
        errors, service =>
    {
        ServiceStatus status;
        if (WindowsServiceCalls.Control(service, WindowsServiceCalls.ControlStop, &status) == 0
            && Marshal.GetLastPInvokeError() != WindowsServiceCalls.NotActive)
                return Failed(errors, "stopping the service");
        long began = clock.GetTimestamp();
        while (WindowsServiceCalls.Query(service, &status) != 0 && status.State != WindowsServiceCalls.Stopped)
        {
            if (clock.GetElapsedTime(began) > MaxWait)
            {
                errors.WriteLine("dnsd: error: the service does not stop");
                return ExitCode.Bad;
            }
            Thread.Sleep(100);
        }
        if (WindowsServiceCalls.Delete(service) == 0) return Failed(errors, "removing the service");
        output.WriteLine($"removed the service {ServiceDefinition.Name}; settings and zones stay");
        return ExitCode.Good;
    });

    public int Status(TextWriter output, TextWriter errors) => WithService(WindowsServiceCalls.QueryStatus,
        errors, service =>
    {
        ServiceStatus status;
        if (WindowsServiceCalls.Query(service, &status) == 0) return Failed(errors, "asking for the service");
        output.WriteLine($"{ServiceDefinition.Name} is {NameOf(status.State)}");
        if (status.ExitCode != 0) output.WriteLine($"last result: {status.ExitCode}; see the event log, Application");
        return status.State == WindowsServiceCalls.Running ? ExitCode.Good : ExitCode.Bad;
    });

    private static string NameOf(uint state) => state switch
    {
        WindowsServiceCalls.Stopped => "stopped",
        WindowsServiceCalls.StartPending => "starting",
        WindowsServiceCalls.StopPending => "stopping",
        WindowsServiceCalls.Running => "running",
        _ => $"in state {state}",
    };

    /// <summary>Sets the description, and a restart after a second if the service ends by itself.</summary>
    private static void Describe(nint service)
    {
        fixed (char* text = "Serves zones from master files over UDP and TCP.")
        {
            char* description = text;
            WindowsServiceCalls.ChangeConfig(service, WindowsServiceCalls.ConfigDescription, &description);
        }
        const uint restart = 1, delayMs = 1000, resetSeconds = 3600;
        FailureAction action = new() { Kind = restart, DelayMs = delayMs };
        FailureActions actions = new() { ResetSeconds = resetSeconds, Count = 1, Actions = &action };
        WindowsServiceCalls.ChangeConfig(service, WindowsServiceCalls.ConfigFailureActions, &actions);
    }

    private static int WithService(uint access, TextWriter errors, ServiceCall call) =>
        WithManager(WindowsServiceCalls.ConnectManager, errors, manager =>
        {
            nint service = WindowsServiceCalls.OpenService(manager, ServiceDefinition.Name, access);
            if (service == 0) return Failed(errors, "opening the service");
            int exitCode = call(service);
            WindowsServiceCalls.Close(service);
            return exitCode;
        });

    private static int WithManager(uint access, TextWriter errors, ServiceCall call)
    {
        nint manager = WindowsServiceCalls.OpenManager(null, null, access);
        if (manager == 0) return Failed(errors, "the service control manager");
        int exitCode = call(manager);
        WindowsServiceCalls.Close(manager);
        return exitCode;
    }

    private static int Failed(TextWriter errors, string what)
    {
        int error = Marshal.GetLastPInvokeError();
        string why = error switch
        {
            WindowsServiceCalls.DoesNotExist => $"{ServiceDefinition.Name} is not installed as a service",
            WindowsServiceCalls.AlreadyExists =>
                $"{ServiceDefinition.Name} is installed already; \"dnsd service uninstall\" removes it",
            WindowsServiceCalls.AccessDenied => "access denied; this needs an administrator",
            _ => Marshal.GetPInvokeErrorMessage(error).ReplaceLineEndings(" "),
        };
        errors.WriteLine($"dnsd: error: {what}: {why}");
        return ExitCode.Bad;
    }
}

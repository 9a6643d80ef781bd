using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using System.Security;
using System.ServiceProcess;
using System.Text.RegularExpressions;

namespace Dns.Hosting.Services;

/// <summary>The server as a service in the service control manager of Windows.</summary>
[SupportedOSPlatform("windows")]
public sealed class WindowsServiceRegistration : IServiceRegistration
{
    private const string LocalService = @"NT AUTHORITY\LocalService";
    private const int DoesNotExist = 1060, AlreadyExists = 1073, AccessDenied = 5;
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(30);

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
        using ServiceController made = new(ServiceDefinition.Name);
        if (Try(TextWriter.Null, "", () => _ = made.Status))
            return Failed(errors, "creating the service", AlreadyExists);
        string command = CommandOf(service);
        var (result, _) = Manage("create", "binPath=", command, "DisplayName=", ServiceDefinition.Description,
            "start=", "auto", "obj=", service.User ?? LocalService);
        if (result != 0) return Failed(errors, "creating the service", result);
        Manage("description", "Serves zones from master files over UDP and TCP.");
        // A restart after a second if the service ends by itself.
        Manage("failure", "reset=", "3600", "actions=", "restart/1000");
        output.WriteLine($"created the service {ServiceDefinition.Name}: {command}");
        if (!Try(errors, "starting the service", made.Start)) return ExitCode.Bad;
        output.WriteLine($"{ServiceDefinition.Name} starts; its log is in the event log, Application");
        return ExitCode.Good;
    }

    public int Show(ServiceDefinition service, TextWriter output)
    {
        output
            .WriteLine($"service:  {ServiceDefinition.Name} ({ServiceDefinition.Description}), starts with the system");
        output.WriteLine($"command:  {CommandOf(service)}");
        output.WriteLine($"account:  {service.User ?? LocalService}");
        return ExitCode.Good;
    }

    public int Uninstall(TextWriter output, TextWriter errors)
    {
        using ServiceController service = new(ServiceDefinition.Name);
        ServiceControllerStatus status = default;
        if (!Try(errors, "opening the service", () => status = service.Status)) return ExitCode.Bad;
        if (status != ServiceControllerStatus.Stopped
            && !Try(errors, "stopping the service", () => service.Stop(stopDependentServices: false)))
            return ExitCode.Bad;
        try
        {
            service.WaitForStatus(ServiceControllerStatus.Stopped, MaxWait);
        }
        catch (System.ServiceProcess.TimeoutException)
        {
            errors.WriteLine("dnsd: error: the service does not stop");
            return ExitCode.Bad;
        }
        var (result, _) = Manage("delete");
        if (result != 0) return Failed(errors, "removing the service", result);
        output.WriteLine($"removed the service {ServiceDefinition.Name}; settings and zones stay");
        return ExitCode.Good;
    }

    public int Status(TextWriter output, TextWriter errors)
    {
        using ServiceController service = new(ServiceDefinition.Name);
        ServiceControllerStatus status = default;
        if (!Try(errors, "opening the service", () => status = service.Status)) return ExitCode.Bad;
        output.WriteLine($"{ServiceDefinition.Name} is {NameOf(status)}");
        // The exit code is the first value that has its hexadecimal form too, in every language of the system.
        string exitCode = Regex.Match(Manage("query").Output, @"\b(\d+) +\(0x").Groups[1].Value;
        if (exitCode is not ("" or "0")) output.WriteLine($"last result: {exitCode}; see the event log, Application");
        return status == ServiceControllerStatus.Running ? ExitCode.Good : ExitCode.Bad;
    }

    private static string NameOf(ServiceControllerStatus status) => status switch
    {
        ServiceControllerStatus.Stopped => "stopped",
        ServiceControllerStatus.StartPending => "starting",
        ServiceControllerStatus.StopPending => "stopping",
        ServiceControllerStatus.Running => "running",
        _ => $"in state {(int)status}",
    };

    /// <summary>Runs <c>sc.exe</c>, whose exit code is the error of the service control manager.</summary>
    private static (int ExitCode, string Output) Manage(string command, params string[] arguments) =>
        ExternalProgram.Run(
            Path.Combine(Environment.SystemDirectory, "sc.exe"), [command, ServiceDefinition.Name, .. arguments]);

    private static bool Try(TextWriter errors, string what, Action call)
    {
        try
        {
            call();
            return true;
        }
        catch (InvalidOperationException error) when (error.InnerException is Win32Exception cause)
        {
            Failed(errors, what, cause.NativeErrorCode);
            return false;
        }
    }

    private static int Failed(TextWriter errors, string what, int error)
    {
        string why = error switch
        {
            DoesNotExist => $"{ServiceDefinition.Name} is not installed as a service",
            AlreadyExists =>
                $"{ServiceDefinition.Name} is installed already; \"dnsd service uninstall\" removes it",
            AccessDenied => "access denied; this needs an administrator",
            _ => Marshal.GetPInvokeErrorMessage(error).ReplaceLineEndings(" "),
        };
        errors.WriteLine($"dnsd: error: {what}: {why}");
        return ExitCode.Bad;
    }
}

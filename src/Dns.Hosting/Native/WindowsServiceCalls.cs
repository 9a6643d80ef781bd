using System.Runtime.Versioning;

namespace Dns.Hosting.Native;

/// <summary>The used part of the Windows service API (advapi32).</summary>
[SupportedOSPlatform("windows")]
public static unsafe partial class WindowsServiceCalls
{
    public const uint ControlStop = 1, ControlInterrogate = 4, ControlShutdown = 5;
    public const uint Stopped = 1, StartPending = 2, StopPending = 3, Running = 4;
    public const uint AcceptStop = 1, AcceptShutdown = 4;
    public const uint OwnProcess = 0x10, AutoStart = 2, ErrorNormal = 1;
    public const uint AllManagerAccess = 0xF003F, ConnectManager = 1, AllServiceAccess = 0xF01FF, QueryStatus = 4;
    public const uint ConfigDescription = 1, ConfigFailureActions = 2;
    public const int NotAService = 1063, DoesNotExist = 1060, AlreadyExists = 1073, NotActive = 1062, AccessDenied = 5;
    public const uint ServiceSpecificError = 1066;
    public const uint CallNotImplemented = 120;

    [LibraryImport("advapi32", EntryPoint = "StartServiceCtrlDispatcherW", SetLastError = true)]
    public static partial int StartDispatcher(ServiceTableEntry* table);

    [LibraryImport("advapi32", EntryPoint = "RegisterServiceCtrlHandlerExW", SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint RegisterHandler(
        string service, delegate* unmanaged<uint, uint, nint, nint, uint> handler, nint context);

    [LibraryImport("advapi32", EntryPoint = "SetServiceStatus", SetLastError = true)]
    public static partial int SetStatus(nint handle, ServiceStatus* status);

    [LibraryImport("advapi32", EntryPoint = "OpenSCManagerW", SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint OpenManager(string? machine, string? database, uint access);

    [LibraryImport("advapi32", EntryPoint = "CreateServiceW", SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint CreateService(
        nint manager, string name, string displayName, uint access, uint type, uint start, uint errorControl,
        string command, string? group, nint tag, string? dependencies, string? account, string? password);

    [LibraryImport("advapi32", EntryPoint = "OpenServiceW", SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint OpenService(nint manager, string name, uint access);

    [LibraryImport("advapi32", EntryPoint = "ChangeServiceConfig2W", SetLastError = true)]
    public static partial int ChangeConfig(nint service, uint level, void* information);

    [LibraryImport("advapi32", EntryPoint = "StartServiceW", SetLastError = true)]
    public static partial int Start(nint service, uint count, nint arguments);

    [LibraryImport("advapi32", EntryPoint = "ControlService", SetLastError = true)]
    public static partial int Control(nint service, uint control, ServiceStatus* status);

    [LibraryImport("advapi32", EntryPoint = "QueryServiceStatus", SetLastError = true)]
    public static partial int Query(nint service, ServiceStatus* status);

    [LibraryImport("advapi32", EntryPoint = "DeleteService", SetLastError = true)]
    public static partial int Delete(nint service);

    [LibraryImport("advapi32", EntryPoint = "CloseServiceHandle")]
    public static partial int Close(nint handle);
}

/// <summary><c>SERVICE_TABLE_ENTRYW</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct ServiceTableEntry
{
    public char* Name;
    public delegate* unmanaged<uint, nint, void> Main;
}

/// <summary><c>SERVICE_STATUS</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct ServiceStatus
{
    public uint Type, State, Accepted, ExitCode, SpecificExitCode, CheckPoint, WaitHintMs;
}

/// <summary><c>SC_ACTION</c>: the action after the service ends by itself.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct FailureAction
{
    public uint Kind, DelayMs;
}

/// <summary><c>SERVICE_FAILURE_ACTIONSW</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct FailureActions
{
    public uint ResetSeconds;
    public char* RebootMessage, Command;
    public uint Count;
    public FailureAction* Actions;
}

using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;

namespace Dns.Integration.Tests;

/// <summary>A running dnsd: the program itself, in a process of its own, with its output.</summary>
public sealed partial class DnsdProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    /// <summary>The folder of the program, compiled ahead of time in a Release build.</summary>
    internal static readonly string ProgramFolder = Path.Combine(AppContext.BaseDirectory, "program");

    private readonly Process _process;
    private readonly List<string> _lines = [];
    private readonly List<(Func<string, bool> Wanted, TaskCompletionSource<string> Found)> _waiting = [];

    private DnsdProcess(ProcessStartInfo start)
    {
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Take(line.Data);
        _process.ErrorDataReceived += (_, line) => Take(line.Data is null ? null : "stderr: " + line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Everything printed so far; lines of standard error begin with <c>stderr: </c>.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lines) return [.. _lines];
        }
    }

    public static DnsdProcess Start(string folder, string[] args, params (string Name, string Value)[] environment)
    {
        return Start("dotnet", [], folder, args, environment);
    }

    /// <summary>The same through another program, whose arguments come first.</summary>
    public static DnsdProcess Start(
        string program, string[] before, string folder, string[] args, params (string Name, string Value)[] environment)
    {
        ProcessStartInfo start = new(program)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (string arg in before) start.ArgumentList.Add(arg);
        start.ArgumentList.Add(Path.Combine(ProgramFolder, "dnsd.dll"));
        foreach (string arg in args) start.ArgumentList.Add(arg);
        // The examples, also on a machine that has settings installed.
        bool hasSettings =
            args.Contains("--config") || args.Contains("-c") || File.Exists(Path.Combine(folder, "dnsd.json"));
        if (args is ["run", ..] && !hasSettings)
            start.ArgumentList.Add("--config=" + Path.Combine(ProgramFolder, "examples", "dnsd.json"));
        // The shipped settings have an admin port, which only one of many servers on a machine can have.
        start.Environment["Dns__Admin__Listen"] = "null";
        // Where it puts its control socket.
        start.Environment["RUNTIME_DIRECTORY"] = folder;
        start.Environment.Remove("STATE_DIRECTORY");
        // 256 ms, in hexadecimal: most of these processes end before recompiled code is worth its cost.
        start.Environment["DOTNET_TC_CallCountingDelayMs"] = "100";
        foreach ((string name, string value) in environment) start.Environment[name] = value;
        return new DnsdProcess(start);
    }

    /// <summary>Waits for the first line that contains a text, also one printed before.</summary>
    public Task<string> WaitForLineAsync(string text) =>
        WaitForLineAsync(line => line.Contains(text), $"a line with \"{text}\"");

    /// <summary>Waits for the first line that is wanted, also one printed before.</summary>
    /// <param name="wanted">Whether a line is it.</param>
    /// <param name="what">What is waited for, in words.</param>
    public Task<string> WaitForLineAsync(Func<string, bool> wanted, string what)
    {
        TaskCompletionSource<string> found = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lines)
        {
            if (_lines.Find(line => wanted(line)) is { } line) return Task.FromResult(line);
            _waiting.Add((wanted, found));
        }
        return WithPatience(found.Task, what);
    }

    /// <summary>Waits until it listens on a first address, and says on which.</summary>
    public async Task<IPEndPoint> WaitForAddressAsync()
    {
        Match match = Address().Match(await WaitForLineAsync("Listening on "));
        return IPEndPoint.Parse(match.Groups[1].Value);
    }

    /// <summary>Waits until all zones have been read, and returns the listen address.</summary>
    public async Task<IPEndPoint> WaitUntilLoadedAsync()
    {
        IPEndPoint address = await WaitForAddressAsync();
        await WaitForLineAsync("Serving ");
        return address;
    }

    /// <summary>Tells it to stop as a service manager does.</summary>
    public Task TerminateAsync() => SignalAsync("TERM");

    /// <summary>Kills it.</summary>
    public async Task KillAsync()
    {
        await SignalAsync("KILL");
        await WaitForExitAsync();
    }

    /// <summary>Tells it to read its settings again.</summary>
    public Task ReloadAsync() => SignalAsync("HUP");

    /// <summary>The same while it may end; false after the end.</summary>
    public async Task<bool> TryReloadAsync() => await KillAsync("HUP") == 0;

    /// <summary>Sends a signal.</summary>
    public async Task SignalAsync(string signal)
    {
        if (signal == "HUP" && IgnoresHangups())
            throw new InvalidOperationException(
                "SIGHUP is ignored by processes below nohup: expected the tests without it, for example below setsid");
        int code = await KillAsync(signal);
        if (code != 0)
            throw new InvalidOperationException(
                $"kill -{signal} ended with exit code {code} after:\n{string.Join('\n', Lines)}");
    }

    /// <summary>Whether the lowest bit of the mask of ignored signals is set, that of SIGHUP (proc(5)).</summary>
    private bool IgnoresHangups()
    {
        string status = $"/proc/{_process.Id}/status";
        string? mask = File.Exists(status) ? File.ReadLines(status).FirstOrDefault(line => line.StartsWith("SigIgn"))
            : null;
        return mask is not null && (Convert.ToByte(mask[^1..], 16) & 1) != 0;
    }

    private async Task<int> KillAsync(string signal)
    {
        using Process kill = Process.Start("kill", ["-" + signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        return kill.ExitCode;
    }

    /// <summary>Its process id.</summary>
    public int Id => _process.Id;

    /// <summary>Waits for the end; the output is then complete.</summary>
    public async Task<int> WaitForExitAsync()
    {
        await WithPatience(WaitAsync(), "the end");
        return _process.ExitCode;

        async Task<string> WaitAsync()
        {
            await _process.WaitForExitAsync();
            return "";
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private void Take(string? line)
    {
        if (line is null) return;
        lock (_lines)
        {
            _lines.Add(line);
            foreach (var (wanted, found) in _waiting)
                if (wanted(line)) found.TrySetResult(line);
        }
    }

    private async Task<string> WithPatience(Task<string> task, string what)
    {
        try
        {
            return await task.WaitAsync(Patience);
        }
        catch (TimeoutException)
        {
            throw new TimeoutException($"no sign of {what} in:\n{string.Join('\n', Lines)}");
        }
    }

    [GeneratedRegex(@"Listening on (\S+) \(UDP and TCP\)")]
    private static partial Regex Address();
}

using System.Diagnostics;
using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// Another dnsbench process, with runtime settings under which a count repeats. It counts itself or is single-stepped
/// from here. Used by one thread. Ended when disposed.
/// </summary>
internal sealed class CountedProcess : IDisposable
{
    private readonly Process _process;
    private readonly MethodProfile? _methods;
    private bool _isWarm;

    internal CountedProcess(bool byMethod, params string[] arguments)
    {
        _methods = byMethod ? new MethodProfile() : null;
        string self = Environment.ProcessPath!;
        string[] command = Path.GetFileNameWithoutExtension(self) == "dotnet"
            ? [typeof(CountedProcess).Assembly.Location, .. arguments] : arguments;
        ProcessStartInfo start = new(self, command) { RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach ((string name, string value) in Settings) start.Environment[name] = value;
        // 3: a map of compiled methods alone.
        if (byMethod) start.Environment["DOTNET_PerfMapEnabled"] = "3";
        // The process inherits it: a step on another processor takes several times as long.
        LinuxSockets.TryPinThread(Environment.ProcessorCount - 1);
        _process = Process.Start(start)!;
        Leftovers.Add(this);
    }

    /// <summary>
    /// All code is compiled once, for the vector instructions that every current processor has; generation 0 is so
    /// large that nothing is collected.
    /// </summary>
    private static (string, string)[] Settings =>
    [
        ("DOTNET_TieredCompilation", "0"), ("DOTNET_ReadyToRun", "0"), ("DOTNET_EnableAVX512", "0"),
        ("DOTNET_GCgen0size", "4000000"),
    ];

    /// <summary>The output lines of the process, except its requests to be counted, which are carried out.</summary>
    /// <exception cref="InvalidDataException">It ended with an error.</exception>
    internal IEnumerable<string> Lines()
    {
        while (_process.StandardOutput.ReadLine() is { } line)
        {
            if (line == AskedCounter.Request) CountSteps();
            else yield return line;
        }
        _process.WaitForExit();
        if (_process.ExitCode != 0)
            throw new InvalidDataException($"the counted process ended with {_process.ExitCode}");
    }

    public void Dispose()
    {
        if (!Leftovers.Remove(this)) return;
        if (!_process.HasExited) _process.Kill();
        _process.Dispose();
    }

    private void CountSteps()
    {
        // The first time, the process compiles the code of counting itself, which would take millions of steps.
        using SteppedThread? thread = _isWarm ? new(_process.Id) : null;
        _isWarm = true;
        Answer(0);
        Answer(thread?.StepToEnd(_methods) ?? 0);
        _methods?.Print(_process.Id, Console.Out);
    }

    private void Answer(long number)
    {
        _process.StandardInput.WriteLine(number.ToString(CultureInfo.InvariantCulture));
        _process.StandardInput.Flush();
    }
}

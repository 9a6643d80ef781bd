using Microsoft.Extensions.Configuration;

namespace Dns.Hosting.Log;

/// <summary>
/// The sinks of section <c>Serilog</c>, with those whose files cannot be opened: Serilog runs without them.
/// </summary>
public sealed record LogSinks(int Count, IReadOnlyList<FileFault> Faults)
{
    /// <summary>Whether there are sinks, and none can be opened.</summary>
    public bool AreAllFaulty => Count > 0 && Faults.Count == Count;

    /// <param name="findFault">Why a file cannot be written, by path and whether it is rolling; null if it can.</param>
    public static LogSinks Of(IConfiguration settings, Func<string, bool, string?> findFault)
    {
        int count = 0;
        List<FileFault> faults = [];
        foreach ((IConfigurationSection sink, string? name) in SinkFormats.SinksOf(settings))
        {
            count++;
            string key = sink.Path + ":Args:path";
            bool isRolling = sink["Args:rollingInterval"] is { } interval && interval != "Infinite";
            if (name == "File" && settings[key] is { Length: > 0 } path && findFault(path, isRolling) is { } fault)
                faults.Add(new FileFault(key, path, fault));
        }
        return new LogSinks(count, faults);
    }
}

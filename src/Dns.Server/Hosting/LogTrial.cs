using Microsoft.Extensions.Configuration;
using Serilog.Core;

namespace Dns.Server.Hosting;

/// <summary>Creates the log like a start would, with its files in a temporary directory.</summary>
internal static class LogTrial
{
    private const string PathArgument = ":Args:path";

    /// <summary>Tries it, unless there are errors, or sinks of other assemblies, whose effects are unknown.</summary>
    /// <param name="untried">Why it could not be tried; null if it was.</param>
    /// <returns>Why the log cannot be created; null if it can.</returns>
    public static string? Find(Settings settings, out string? untried)
    {
        untried = null;
        if (settings.Problems.Count > 0 || settings.Configuration.GetSection("Serilog:Using").Exists()) return null;
        if (TryCreateDirectory(out untried) is not { } directory) return null;
        try
        {
            IConfiguration elsewhere = new ConfigurationBuilder()
                .AddConfiguration(settings.Configuration)
                .AddInMemoryCollection(FilesIn(directory, settings.Configuration))
                .Build();
            if (!LogSetup.TryCreate(elsewhere, new LogLevels(), new RecentErrors(), out Logger? log,
                out string? problem))
                return $"{settings.File}: error: {problem}";
            log.Dispose();
            return null;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static string? TryCreateDirectory(out string? untried)
    {
        untried = null;
        try
        {
            return Directory.CreateTempSubdirectory("dnsd-check-").FullName;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            untried = $"the settings of the log are not tried: {Path.GetTempPath()} cannot be written to: "
                + error.Message.ReplaceLineEndings(" ");
            return null;
        }
    }

    private static IEnumerable<KeyValuePair<string, string?>> FilesIn(string directory, IConfiguration settings) =>
        from pair in settings.AsEnumerable()
        where pair.Value is not null && pair.Key.EndsWith(PathArgument, StringComparison.OrdinalIgnoreCase)
        select KeyValuePair.Create(pair.Key, (string?)Path.Combine(directory, pair.Key.Replace(':', '-')));
}

using Microsoft.Extensions.Configuration;
using Serilog.Core;

namespace Dns.Server;

/// <summary>Makes the log of the settings as a start would, with its files in a directory that is taken away again.</summary>
internal static class LogTrial
{
    private const string PathArgument = ":Args:path";

    /// <summary>Tries it, if nothing else is wrong. Sinks of other assemblies are left to the start: what they open is not known.</summary>
    /// <returns>Why there would be no log; null if there would.</returns>
    public static string? Find(Settings settings)
    {
        if (settings.Problems.Count > 0 || settings.Configuration.GetSection("Serilog:Using").Exists()) return null;
        string directory = Directory.CreateTempSubdirectory("dnsd-check-").FullName;
        try
        {
            IConfiguration elsewhere = new ConfigurationBuilder()
                .AddConfiguration(settings.Configuration)
                .AddInMemoryCollection(FilesIn(directory, settings.Configuration))
                .Build();
            if (!LogSetup.TryCreate(elsewhere, new LogLevels(), new RecentErrors(), out Logger? log, out string? problem))
                return $"{settings.File}: error: {problem}";
            log.Dispose();
            return null;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static IEnumerable<KeyValuePair<string, string?>> FilesIn(string directory, IConfiguration settings) =>
        from pair in settings.AsEnumerable()
        where pair.Value is not null && pair.Key.EndsWith(PathArgument, StringComparison.OrdinalIgnoreCase)
        select KeyValuePair.Create(pair.Key, (string?)Path.Combine(directory, pair.Key.Replace(':', '-')));
}

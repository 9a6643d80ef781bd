using Microsoft.Extensions.Configuration;

namespace Dns.Reloading.Changes;

/// <summary>The settings that differ between two readings, and whether they apply at runtime.</summary>
public static class SettingsDifference
{
    /// <summary>The log level applies at once; settings below it included.</summary>
    private const string LiveLogSetting = "Serilog:MinimumLevel";

    /// <summary>The values of settings by path.</summary>
    public static Dictionary<string, string?> Flatten(IConfiguration configuration) =>
        configuration.AsEnumerable().Where(pair => pair.Value is not null)
            .ToDictionary(pair => pair.Key, pair => pair.Value, StringComparer.OrdinalIgnoreCase);

    /// <summary>The settings that differ, sorted by name; a list is one setting.</summary>
    /// <param name="areLive">Whether to return those that apply at once, or the others.</param>
    public static IEnumerable<string> Find(DeclaredSettings declared, Dictionary<string, string?> before,
        Dictionary<string, string?> now, bool areLive) =>
        before.Keys.Union(now.Keys, StringComparer.OrdinalIgnoreCase)
            .Where(key =>
                !string.Equals(before.GetValueOrDefault(key), now.GetValueOrDefault(key), StringComparison.Ordinal))
            .Where(key => areLive == (declared.IsLive(key) || IsAtOrBelow(key, LiveLogSetting)))
            .Select(declared.Shown).Select(WithoutIndexes).Distinct(StringComparer.OrdinalIgnoreCase)
            .Order(StringComparer.Ordinal);

    private static bool IsAtOrBelow(string key, string setting) =>
        key.StartsWith(setting, StringComparison.OrdinalIgnoreCase)
        && (key.Length == setting.Length || key[setting.Length] == ':');

    private static string WithoutIndexes(string key)
    {
        string[] parts = key.Split(':');
        int index = Array.FindIndex(parts, part => int.TryParse(part, out _));
        return index < 0 ? key : string.Join(':', parts[..index]);
    }
}

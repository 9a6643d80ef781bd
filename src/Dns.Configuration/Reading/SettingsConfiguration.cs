using Microsoft.Extensions.Configuration;

namespace Dns.Configuration.Reading;

/// <summary>Makes .NET configuration of merged settings.</summary>
public static class SettingsConfiguration
{
    /// <summary>
    /// The settings as configuration for the host and Serilog. Of <c>Dns:Zones</c> there is only a number that differs
    /// when it does: it can have 100,000 entries, which are not needed there. Paths of log files become absolute.
    /// </summary>
    /// <param name="root">The settings; null gives an empty configuration.</param>
    public static IConfigurationRoot Build(SettingNode? root, string directory)
    {
        Dictionary<string, string?> values = new(StringComparer.OrdinalIgnoreCase);
        if (root is not null) Flatten(root, "", directory, values);
        return new ConfigurationBuilder().AddInMemoryCollection(values).Build();
    }

    private static void Flatten(SettingNode node, string path, string directory, Dictionary<string, string?> values)
    {
        foreach (SettingNode child in node.Children)
        {
            string childPath = path.Length == 0 ? child.Name : path + ":" + child.Name;
            if (childPath.Equals("Dns:Zones", StringComparison.OrdinalIgnoreCase))
                values[childPath] = $"{HashOf(child)}";
            else if (child.Kind is SettingKind.Section or SettingKind.List)
                Flatten(child, childPath, directory, values);
            else
                values[childPath] = IsLogFile(childPath) ? Path.GetFullPath(child.Value ?? "", directory) : child.Value;
        }
    }

    private static int HashOf(SettingNode node) =>
        node.Children.Aggregate(HashCode.Combine(node.Name, node.Value),
            (hash, child) => HashCode.Combine(hash, HashOf(child)));

    private static bool IsLogFile(string path) =>
        path.StartsWith("Serilog:", StringComparison.OrdinalIgnoreCase)
        && path.EndsWith(":Args:path", StringComparison.OrdinalIgnoreCase);
}

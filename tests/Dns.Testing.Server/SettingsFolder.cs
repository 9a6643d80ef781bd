using System.Collections;

namespace Dns.Testing.Server;

/// <summary>A folder with a settings file for one test.</summary>
public sealed class SettingsFolder : IDisposable
{
    public string Root { get; } = Directory.CreateTempSubdirectory("dns-settings").FullName;

    public void Dispose() => Directory.Delete(Root, recursive: true);

    public string Write(string name, string text)
    {
        string file = Path.Combine(Root, name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
        return file;
    }

    internal Settings Read(string json, SettingsArguments? arguments = null,
        params (string Name, string Value)[] environment)
    {
        Hashtable variables = [];
        foreach ((string name, string value) in environment) variables[name] = value;
        return SettingsReader.Read((arguments ?? new()) with { ConfigFile = Write("dnsd.json", json) }, variables);
    }

    /// <summary>The options of a section Dns without problems.</summary>
    internal ServerOptions Options(string dns, SettingsArguments? arguments = null,
        params (string Name, string Value)[] environment)
    {
        Settings settings = Read($$"""{ "Dns": {{dns}} }""", arguments, environment);
        return settings.Problems.Count == 0
            ? settings.Options
            : throw new ArgumentException(string.Join('\n', settings.Problems), nameof(dns));
    }

    /// <summary>The problems, the folder's path taken out.</summary>
    internal string[] Problems(string json, SettingsArguments? arguments = null,
        params (string Name, string Value)[] environment) =>
        [.. Read(json, arguments, environment).Problems
            .Select(problem => problem.ToString().Replace(Root + Path.DirectorySeparatorChar, ""))];
}

using System.Diagnostics;
using System.Globalization;

namespace Dns.Bench;

/// <summary>The input of all signers: a zone file, a folder of keys, and the denial method.</summary>
internal sealed class SignerSetup(TemporaryFolder folder, string algorithm, string denial, int threads)
{
    internal string Algorithm => algorithm;

    internal string Denial => denial;

    internal int Threads => threads;

    internal string Source { get; } = folder.File("source.zone");

    internal string Keys { get; } = folder.File("keys");

    /// <summary>The name of the key's files without extension.</summary>
    internal string Key { get; private set; } = "";

    internal string Output(string name) => folder.File(name);

    /// <summary>Generates the key for all of them.</summary>
    internal void MakeKey()
    {
        string[] arguments = [Workspace.DefaultServer, "keys", "generate", ZoneText.Apex, "--keys", Keys,
            "--algorithm", algorithm];
        Key = Signer.Execute("dotnet", arguments).Output.Trim();
    }
}

/// <summary>A program that signs a zone file.</summary>
internal sealed record Signer(string Name, string Program, string[] Arguments)
{
    /// <summary>The signer with a name; null where its program is not installed.</summary>
    internal static Signer? Make(string name, SignerSetup setup)
    {
        if (name != "dnsd" && !IsInstalled(name)) return null;
        string threads = setup.Threads.ToString(CultureInfo.InvariantCulture);
        bool isHashed = setup.Denial != "nsec", isOptOut = setup.Denial == "opt-out";
        return name switch
        {
            "dnsd" => new Signer(name, "dotnet",
            [
                Workspace.DefaultServer, "zone", "sign", ZoneText.Apex, setup.Source, "--keys", setup.Keys, "-o",
                setup.Output(name),
                "--denial", isHashed ? "nsec3" : "nsec", .. isOptOut ? ["--opt-out"] : Array.Empty<string>(),
            ]),
            "dnssec-signzone" => new Signer(name, name,
            [
                "-q", "-z", "-S", "-K", setup.Keys, "-d", setup.Keys, "-P", "-n", threads, "-o", ZoneText.Apex, "-f",
                setup.Output(name),
                .. isHashed ? ["-3", "-", "-H", "0"] : Array.Empty<string>(),
                .. isOptOut ? ["-A"] : Array.Empty<string>(), setup.Source,
            ]),
            "ldns-signzone" => new Signer(name, name,
            [
                "-o", ZoneText.Apex, "-f", setup.Output(name), .. isHashed ? ["-n"] : Array.Empty<string>(),
                .. isOptOut ? ["-p"] : Array.Empty<string>(), setup.Source, setup.Key,
            ]),
            "kzonesign" => MakeKnot(setup, threads, isHashed, isOptOut),
            _ =>
                throw new UsageException(
                    $"{name} is no signer; there are dnsd, dnssec-signzone, kzonesign and ldns-signzone"),
        };
    }

    /// <summary>Signs once: seconds by the clock and of processors.</summary>
    internal (double Wall, double Processor) Run()
    {
        // The shell has the times of its ended children.
        string words = string.Join(' ', Arguments.Select(word => $"'{word}'"));
        string line = Execute("bash", ["-c", $"TIMEFORMAT='%R %U %S'; time {Program} {words} >/dev/null 2>&1"]).Errors;
        double[] figures = [.. line.Trim().Split(' ').Select(word => double.Parse(word, CultureInfo.InvariantCulture))];
        return (figures[0], figures[1] + figures[2]);
    }

    /// <summary>Runs a program to its end.</summary>
    /// <exception cref="InvalidDataException">It failed.</exception>
    internal static (string Output, string Errors) Execute(string program, string[] arguments)
    {
        ProcessStartInfo start =
            new(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        string said = errors.Result;
        if (process.ExitCode != 0)
            throw new InvalidDataException($"{program} {string.Join(' ', arguments)}: {output}{said}");
        return (output, said);
    }

    private static Signer MakeKnot(SignerSetup setup, string threads, bool isHashed, bool isOptOut)
    {
        string settings = setup.Output("knot.conf"), state = Directory.CreateDirectory(setup.Output("knot")).FullName;
        File.WriteAllText(settings, $"""
            server:
                rundir: {state}
            database:
                storage: {state}
            policy:
              - id: one
                algorithm: {setup.Algorithm}
                single-type-signing: on
                manual: on
                signing-threads: {threads}
                nsec3: {(isHashed ? "on" : "off")}
                nsec3-iterations: 0
                nsec3-salt-length: 0
                nsec3-opt-out: {(isOptOut ? "on" : "off")}
            zone:
              - domain: {ZoneText.Apex}
                storage: {Path.GetDirectoryName(setup.Source)}
                file: {Path.GetFileName(setup.Source)}
                dnssec-signing: on
                dnssec-policy: one
            """);
        string said = Execute("keymgr", ["-c", settings, ZoneText.Apex, "import-bind", setup.Key + ".private"]).Output;
        // By the flag of its record it takes it for one that signs keys alone.
        Execute("keymgr", ["-c", settings, ZoneText.Apex, "set", said.Split('\n')[0].Trim(), "ksk=yes", "zsk=yes"]);
        return new Signer("kzonesign", "kzonesign", ["-c", settings, "-o", state, ZoneText.Apex]);
    }

    private static bool IsInstalled(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, program)));
}

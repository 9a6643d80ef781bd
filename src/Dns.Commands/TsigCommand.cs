using System.Security.Cryptography;
using System.Text.Json;

namespace Dns.Commands;

/// <summary><c>dnsd tsig generate</c>: a key with a random secret, in the format of this server or another.</summary>
internal static class TsigCommand
{
    public static Command Create() =>
        new("tsig", "Creates TSIG keys for signed transfers, notifications and updates.") { CreateGenerate() };

    private static Command CreateGenerate()
    {
        Argument<string> name = new("NAME") { Description = "The name of the key, the same at both servers." };
        Option<string> algorithm = new("--algorithm", "-a")
        {
            Description =
                "hmac-sha256, hmac-sha384 or hmac-sha512; hmac-sha1 and hmac-md5 only for peers without a better one.",
            DefaultValueFactory = _ => TsigAlgorithm.HmacSha256.Text(),
        };
        Option<string> format = new("--format")
        {
            Description =
                "json for settings of dnsd, bind for named, nsupdate and dig, knot, nsd, or secret for the secret " +
                    "alone.",
            DefaultValueFactory = _ => "json",
        };
        format.AcceptOnlyFromAmong("json", "bind", "knot", "nsd", "secret");
        Command command = new("generate", "Prints a new key.") { name, algorithm, format };
        command.SetAction(result =>
        {
            TextWriter errors = result.InvocationConfiguration.Error;
            if (!ZonesSetting.TryParseName(result.GetValue(name)!, out DomainName? keyName))
            {
                errors.WriteLine("dnsd: error: " + ZonesSetting.NotAName(result.GetValue(name)!));
                return ExitCode.Usage;
            }
            if (!TsigAlgorithms.TryParse(result.GetValue(algorithm)!, out TsigAlgorithm chosen))
            {
                errors.WriteLine($"dnsd: error: --algorithm {result.GetValue(algorithm)}: expected one of " +
                    string.Join(", ", Enum.GetValues<TsigAlgorithm>().Select(known => known.Text())));
                return ExitCode.Usage;
            }
            // As long as the MAC, as RFC 8945 §8 requires.
            string secret = Convert.ToBase64String(RandomNumberGenerator.GetBytes(chosen.MacOctets()));
            result.InvocationConfiguration.Output
                .WriteLine(Text(result.GetValue(format)!, keyName.ToString(), chosen.Text(), secret));
            return ExitCode.Good;
        });
        return command;
    }

    private static string Text(string format, string name, string algorithm, string secret) => format switch
    {
        "bind" => $$"""
            key "{{Bare(name)}}" {
                algorithm {{algorithm}};
                secret "{{secret}}";
            };
            """,
        "knot" => $"""
            key:
              - id: {name}
                algorithm: {algorithm}
                secret: {secret}
            """,
        "nsd" => $"""
            key:
                name: "{Bare(name)}"
                algorithm: {algorithm}
                secret: "{secret}"
            """,
        "secret" => secret,
        _ =>
            $$"""{ "Name": "{{JsonEncodedText.Encode(name)}}", "Algorithm": "{{algorithm}}", "Secret": "{{secret}}" }""",
    };

    private static string Bare(string name) => name.Length > 1 ? name[..^1] : name;
}

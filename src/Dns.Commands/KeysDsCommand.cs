using System.CommandLine;
using Dns.Dnssec;
using Dns.Protocol;

namespace Dns.Commands;

/// <summary><c>dnsd keys ds NAME</c>: the DS records for the parent.</summary>
internal static class KeysDsCommand
{
    private static readonly Dictionary<string, DsDigest> Digests = new(StringComparer.OrdinalIgnoreCase)
    {
        ["sha256"] = DsDigest.Sha256, ["sha384"] = DsDigest.Sha384, ["sha1"] = DsDigest.Sha1,
    };

    /// <summary>Creates the command.</summary>
    public static Command Create()
    {
        KeysArguments arguments = new();
        Option<string> digest = new("--digest", "-d")
        {
            Description = "sha256 or sha384; sha1 for parents that take nothing else.",
            HelpName = "DIGEST",
            DefaultValueFactory = _ => "sha256",
        };
        digest.AcceptOnlyFromAmong([.. Digests.Keys]);
        Command command = new("ds",
            "Prints the DS records of the keys that the parent is to know: KSKs and those that sign everything.");
        arguments.AddTo(command);
        command.Add(digest);
        command.SetAction(result => Print(arguments, result, Digests[result.GetValue(digest)!]));
        return command;
    }

    private static int Print(KeysArguments arguments, ParseResult result, DsDigest digest)
    {
        using KeyFolder? folder = arguments.Read(result);
        if (folder is null) return ExitCode.Bad;
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        List<KeyFile> known = [.. folder.Keys.Where(key => key.Public.IsSep && IsForParent(key, now))];
        // If no key has the SEP flag, the parent gets DS records of all of them.
        if (known.Count == 0) known = [.. folder.Keys.Where(key => IsForParent(key, now))];
        foreach (KeyFile key in known)
        {
            key.Public.TryMakeDs(key.Zone.Octets, digest, out byte[] rdata);
            result.InvocationConfiguration.Output.WriteLine($"{key.Zone} IN DS {Rdata.Format(RRType.DS, rdata)}");
        }
        if (known.Count > 0) return ExitCode.Good;
        result.InvocationConfiguration.Error.WriteLine(
            $"dnsd: error: {folder.Path}: found no key of {folder.Zone} for its parent, expected one");
        return ExitCode.Bad;
    }

    private static bool IsForParent(KeyFile key, DateTimeOffset now) =>
        !(key.Times.Delete <= now) && !(key.Times.Inactive <= now) && !(key.Times.Revoke <= now) &&
            !key.Public.IsRevoked;
}

namespace Dns.Commands;

/// <summary><c>dnsd keys ds NAME</c>: the DS records for the parent.</summary>
internal static class KeysDsCommand
{
    public static Command Create()
    {
        Option<string> digest = new("--digest", "-d")
        {
            Description = "sha256 or sha384; sha1 for parents that take nothing else.",
            HelpName = "DIGEST",
            DefaultValueFactory = _ => "sha256",
        };
        digest.AcceptOnlyFromAmong([.. ParentDsLines.Digests.Keys]);
        return new KeysStateCommand(
            "ds",
            "Prints the DS records of the keys that the parent is to know: KSKs and those that sign everything.",
            [result => result.GetValue(digest)], static (replies, call) => replies.Ds(call))
        {
            digest,
        };
    }
}

namespace Dns.Management.Operations;

/// <summary>The DS records for the parent of a zone, from its key files.</summary>
public static class ParentDsLines
{
    /// <summary>The names of digests on the command line.</summary>
    public static IReadOnlyDictionary<string, DsDigest> Digests { get; } =
        new Dictionary<string, DsDigest>(StringComparer.OrdinalIgnoreCase)
        {
            ["sha256"] = DsDigest.Sha256, ["sha384"] = DsDigest.Sha384, ["sha1"] = DsDigest.Sha1,
        };

    /// <summary>The records, each a line of a zone file.</summary>
    /// <param name="now">The time: keys that are inactive, revoked or deleted by then are left out.</param>
    /// <exception cref="OperationException">There is no key for the parent, or one is unreadable.</exception>
    public static string Of(string path, DomainName zone, DsDigest digest, DateTimeOffset now)
    {
        using KeyFolder folder = KeyFolder.Read(path, zone);
        if (folder.Errors.Count > 0)
            throw new OperationException(OperationError.Rejected, string.Join('\n', folder.Errors));
        List<KeyFile> known = [.. folder.Keys.Where(key => key.Public.IsSep && IsForParent(key, now))];
        // If no key has the SEP flag, the parent gets DS records of all of them.
        if (known.Count == 0) known = [.. folder.Keys.Where(key => IsForParent(key, now))];
        if (known.Count == 0)
            throw new OperationException(OperationError.NotFound,
                $"{folder.Path}: found no key of {folder.Zone} for its parent, expected one");
        StringBuilder lines = new();
        foreach (KeyFile key in known)
        {
            key.Public.TryMakeDs(key.Zone.Octets, digest, out byte[] rdata);
            lines.AppendLine($"{key.Zone} IN DS {Rdata.Format(RRType.DS, rdata)}");
        }
        return lines.ToString();
    }

    /// <summary>Puts a comment above the records if it is too early for the parent to have them.</summary>
    public static string WithTime(string lines, IReadOnlyList<KeyWait> waits)
    {
        if (waits.FirstOrDefault(wait => wait.Action == KeyAction.SubmitDs) is not { } early) return lines;
        string until = early.At is { } at
            ? at.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture)
            : KeyText.Of(early.For ?? KeyConditionKind.EarlierSteps);
        return $"; not before {until}: caches may have the zone without these keys\n{lines}";
    }

    private static bool IsForParent(KeyFile key, DateTimeOffset now) =>
        !(key.Times.Delete <= now) && !(key.Times.Inactive <= now) && !(key.Times.Revoke <= now) &&
            !key.Public.IsRevoked;
}

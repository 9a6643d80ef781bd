namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:TsigKeys</c>. What was written for a secret is never repeated in a message.</summary>
public static class TsigKeysSetting
{
    private const string Expected =
        "a list of keys such as [{ \"Name\": \"k1.\", \"Algorithm\": \"hmac-sha256\", \"SecretFile\": \"k1.secret\" }]";

    private const int MaxKeys = 10_000;
    private const int MaxSecretFileBytes = 4096;
    private static readonly SettingValue<string> KeyText = new SettingValue<string>("string", "text", "text",
        (node, _, _, out text) => (text = node.Value) is not null, text => text).Limit("minLength", 1);

    /// <summary>The settings of a key, which are read here: no message repeats a value.</summary>
    private static readonly SettingsSection<string> Entry = new SettingsSection<string>("N", "A key.", "")
        {
            Required = ["Name"],
        }
        .Add("Name", KeyText, null, (key, _) => key, "The name of the key, as both servers know it.")
        .Add("Algorithm", Choice([.. Enum.GetValues<TsigAlgorithm>().Select(known => (known.Text(), known))]),
            _ => TsigAlgorithm.HmacSha256, (key, _) => key,
            "HMAC algorithm. hmac-sha1 and hmac-md5 only for peers without a better one.")
        .Add("Secret", KeyText, null, (key, _) => key, "The secret in base 64. Either this or SecretFile.")
        .Add("SecretFile", KeyText, null, (key, _) => key,
            "A file with the secret in base 64, which only the server can read.");

    private static readonly string[] Keys = [.. Entry.Members.Select(member => member.Name)];

    public static SettingValue<IReadOnlyList<TsigKey>> Value { get; } = ListOf(Expected, Read, objects: [Entry]);

    private static IReadOnlyList<TsigKey> Read(SettingNode list, string path, SettingsBinder binder)
    {
        List<TsigKey> keys = [];
        HashSet<DomainName> names = [];
        foreach (SettingNode element in list.Children)
        {
            string elementPath = path + ":" + element.Name;
            if (ReadKey(element, elementPath, binder) is not { } key) continue;
            if (names.Add(key.Name)) keys.Add(key);
            else binder.Report(element, $"{elementPath}: key {key.Name} is given twice");
        }
        if (keys.Count > MaxKeys) binder.Report(list, $"{path} has {keys.Count} keys: expected at most {MaxKeys}");
        return keys;
    }

    private static TsigKey? ReadKey(SettingNode entry, string path, SettingsBinder binder)
    {
        if (entry.Kind != SettingKind.Section)
        {
            binder.Report(entry, $"{path}: expected an object with Name, Algorithm, and Secret or SecretFile");
            binder.References.LacksNames = true;
            return null;
        }
        if (ReadName(entry, path, binder) is not { } name) return null;
        binder.References.AddKey(name);
        bool isKnown = true;
        foreach (SettingNode member in entry.Children)
        {
            if (!Keys.Contains(member.Name, StringComparer.OrdinalIgnoreCase))
            {
                // Far from every name it may be a secret that was written as one.
                string guess =
                    NearestName.Find(member.Name, Keys) is { } near ? $" {member.Name}: did you mean \"{near}\"?"
                    : $" that a key does not have: expected one of {string.Join(", ", Keys)}";
                binder.Report(member, $"{path}: there is a setting" + guess);
                isKnown = false;
            }
        }
        if (!isKnown || ReadAlgorithm(entry, path, binder) is not { } algorithm) return null;
        if (ReadSecret(entry, path, binder) is not { } secret) return null;
        return new TsigKey(name, algorithm, secret);
    }

    private static DomainName? ReadName(SettingNode entry, string path, SettingsBinder binder)
    {
        if (entry.Find("Name")?.Value is { } text && ZonesSetting.TryParseName(text, out DomainName? name)) return name;
        binder.References.LacksNames = true;
        binder.Report(entry.Find("Name") ?? entry,
            $"{path}:Name: expected the name of the key, such as \"k1.example.\"");
        return null;
    }

    private static TsigAlgorithm? ReadAlgorithm(SettingNode entry, string path, SettingsBinder binder)
    {
        if (entry.Find("Algorithm") is not { } node) return TsigAlgorithm.HmacSha256;
        if (node.Value is { } text && TsigAlgorithms.TryParse(text, out TsigAlgorithm algorithm)) return algorithm;
        string[] known =
            [.. Enum.GetValues<TsigAlgorithm>().Where(known => !known.IsWeak()).Select(known => known.Text())];
        binder.Report(
            node,
            $"{path}:Algorithm: expected one of {string.Join(", ", known)}; hmac-sha1 and hmac-md5 for peers that have nothing else");
        return null;
    }

    private static byte[]? ReadSecret(SettingNode entry, string path, SettingsBinder binder)
    {
        SettingNode? inline = entry.Find("Secret"), file = entry.Find("SecretFile");
        if (inline is null == file is null)
        {
            binder.Report(entry, $"{path}: expected either Secret, in base 64, or SecretFile, a file that holds it");
            return null;
        }
        if (file is null) return Decode(inline!.Value ?? "", inline, path + ":Secret", binder);
        if (file.Value is not { Length: > 0 } name)
        {
            binder.Report(file, $"{path}:SecretFile: expected the path of a file");
            return null;
        }
        string resolved = binder.Resolve(name);
        try
        {
            long octets = new FileInfo(resolved).Length;
            if (octets is > 0 and <= MaxSecretFileBytes)
                return Decode(File.ReadAllText(resolved).Trim(), file, $"{path}:SecretFile: {resolved}", binder);
            // To read a pipe would be to wait for who writes it.
            binder.Report(file, $"{path}:SecretFile: {resolved} is " + (octets > 0 ? "longer than a secret can be"
                : "empty, or a pipe or a device, expected a file that holds the secret in base 64"));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            string why = error switch
            {
                _ when Directory.Exists(resolved) => $"{resolved} is a directory",
                FileNotFoundException or DirectoryNotFoundException => $"there is no file {resolved}",
                UnauthorizedAccessException => $"permission denied: {Environment.UserName} may not read {resolved}",
                _ => error.Message,
            };
            binder.Report(file, $"{path}:SecretFile: {why}, expected a file that holds the secret in base 64");
        }
        return null;
    }

    private static byte[]? Decode(string text, SettingNode node, string path, SettingsBinder binder)
    {
        byte[] secret = new byte[TsigKey.MaxSecretOctets];
        if (text.Length > 0 && Convert.TryFromBase64String(text, secret, out int octets) && octets > 0)
            return secret[..octets];
        binder.Report(node,
            $"{path}: expected 1 to {TsigKey.MaxSecretOctets} octets in base 64, as \"dnsd tsig generate\" writes them");
        return null;
    }
}

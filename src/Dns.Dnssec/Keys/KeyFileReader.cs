namespace Dns.Dnssec.Keys;

/// <summary>Reads the two files of a key. Errors have file, line and column, and no part of a private key.</summary>
internal static class KeyFileReader
{
    private const int MaxOctets = 1 << 16;

    internal static bool TryRead(
        string path, [NotNullWhen(true)] out KeyFile? file, [NotNullWhen(false)] out TextFault? fault)
    {
        file = null;
        try
        {
            string publicPath = path + KeyFile.PublicExtension, privatePath = path + KeyFile.PrivateExtension;
            DnskeyText record = new(publicPath);
            fault = record.FindFault(ReadText(publicPath));
            if (fault is not null) return false;
            if (File.Exists(privatePath)) return TryReadPrivate(privatePath, record, out file, out fault);
            file = Make(record, null, record.Times, []);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            fault = new TextFault(TextFaultKind.Unreadable, path, detail: e.Message);
            return false;
        }
    }

    private static bool TryReadPrivate(
        string path, DnskeyText record, [NotNullWhen(true)] out KeyFile? file,
        [NotNullWhen(false)] out TextFault? fault)
    {
        file = null;
        PrivateKeyText text = new(path);
        byte[] octets = ReadOctets(path);
        try
        {
            if (!text.TryRead(octets, out PrivateKeyParameters? parameters, out fault)) return false;
            using (parameters)
            {
                if (!SigningKey.TryImport(parameters, record.Key.Flags, out SigningKey? key))
                {
                    string name = DnssecAlgorithms.NameOf(parameters.Algorithm);
                    fault = new TextFault(TextFaultKind.UsableKey, path, TextWord.LineAt(1), name);
                    return false;
                }
                if (!key.Public.Equals(record.Key))
                {
                    key.Dispose();
                    string name = Path.GetFileName(record.Path);
                    fault = new TextFault(TextFaultKind.SameKey, path, TextWord.LineAt(1), name);
                    return false;
                }
                file = Make(record, key, text.Times, text.OtherLines);
                return true;
            }
        }
        finally
        {
            System.Security.Cryptography.CryptographicOperations.ZeroMemory(octets);
        }
    }

    /// <summary>Whether a state of BIND says that the DNSKEY record is in the zone; false without one.</summary>
    internal static bool IsInZone(string path)
    {
        const string Field = "DNSKEYState:";
        try
        {
            foreach (string line in File.Exists(path) ? ReadText(path).Split('\n') : [])
                if (line.StartsWith(Field, StringComparison.Ordinal))
                    return line[Field.Length..].Trim() is "rumoured" or "omnipresent";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Without it, the times decide, and the caller reports a key that they end.
        }
        return false;
    }

    private static KeyFile Make(
        DnskeyText record, SigningKey? key, KeyTimes times, IReadOnlyList<string> others) => new()
    {
        Zone = record.Zone, Public = key?.Public ?? record.Key, Key = key, Ttl = record.Ttl, Times = times,
        OtherLines = others,
    };

    private static string ReadText(string path) => Encoding.Latin1.GetString(ReadOctets(path));

    private static byte[] ReadOctets(string path)
    {
        using FileStream stream =
            new(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, bufferSize: 0);
        if (stream.Length > MaxOctets)
            throw new IOException($"expected at most {MaxOctets} octets, found {stream.Length}");
        byte[] octets = GC.AllocateUninitializedArray<byte>((int)stream.Length, pinned: true);
        stream.ReadExactly(octets);
        return octets;
    }
}

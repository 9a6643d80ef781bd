using System.Text.Json;
using System.Text.Json.Nodes;

namespace Dns.Client;

/// <summary>Reads the key of <c>dnsd query</c>. What was written for a secret is never repeated.</summary>
public static class QueryKey
{
    private const int MaxFileBytes = 64 * 1024;

    /// <summary>Reads <c>[HMAC:]NAME:SECRET</c>, as dig takes it.</summary>
    public static TsigKey? Parse(string text, out string problem)
    {
        problem = "expected [HMAC:]NAME:SECRET, such as hmac-sha256:k1.:SECRET, the secret in base 64";
        string[] parts = text.Split(':');
        if (parts.Length is not (2 or 3)) return null;
        return Make(parts[^2], parts.Length == 3 ? parts[0] : null, parts[^1], ref problem);
    }

    /// <summary>Reads a file that <c>dnsd tsig generate</c> has written, as JSON or for BIND.</summary>
    public static TsigKey? Read(string file, out string problem)
    {
        const string expected = "expected one key as \"dnsd tsig generate NAME\" prints it, also with --format bind";
        problem = $"{file}: {expected}";
        try
        {
            if (Directory.Exists(file))
            {
                problem = $"{file} is a directory, {expected}";
                return null;
            }
            if (new FileInfo(file).Length > MaxFileBytes) return null;
            string text = File.ReadAllText(file);
            if (BindKeyText.TryRead(text, out string name, out string algorithm, out string secret))
                return Make(name, algorithm, secret, ref problem);
            return JsonNode.Parse(text) is JsonObject key ? Read(key, ref problem) : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            problem = $"{file}: {error.Message}";
        }
        catch (JsonException)
        {
            // Its message would repeat what it found.
        }
        return null;
    }

    private static TsigKey? Read(JsonObject key, ref string problem) =>
        key["Name"] is JsonValue name && key["Secret"] is JsonValue secret
        ? Make(name.ToString(), (key["Algorithm"] as JsonValue)?.ToString(), secret.ToString(), ref problem) : null;

    private static TsigKey? Make(string name, string? algorithm, string secret, ref string problem)
    {
        TsigAlgorithm chosen = TsigAlgorithm.HmacSha256;
        byte[] octets = new byte[TsigKey.MaxSecretOctets];
        if (!ZonesSetting.TryParseName(name, out DomainName? keyName)) return null;
        if (algorithm is not null && !TsigAlgorithms.TryParse(algorithm, out chosen))
            problem = $"\"{algorithm}\" is not an algorithm of TSIG, such as hmac-sha256";
        else if (Convert.TryFromBase64String(secret, octets, out int length) && length > 0)
            return new TsigKey(keyName, chosen, octets.AsSpan(0, length));
        return null;
    }
}

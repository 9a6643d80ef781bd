using System.Text.Json.Nodes;

namespace Dns.Features.Cookies;

/// <summary>Reads <c>Dns:Cookies:Secrets</c>. No message repeats what was written: it may be nearly a secret.</summary>
public static class CookieSecretsSetting
{
    private const int Digits = CookieSecret.LengthOctets * 2;
    private const int MaxSecrets = 8;

    public static SettingValue<IReadOnlyList<CookieSecret>> Value { get; } =
        ListOf<CookieSecret>("a list of secrets of 32 hexadecimal digits", Read, Check).Limit("maxItems", MaxSecrets)
        .Limit("items", new JsonObject { ["type"] = "string", ["pattern"] = "^[0-9A-Fa-f]{32}$" });

    private static void Read(SettingNode element, string path, SettingsBinder binder, List<CookieSecret> secrets)
    {
        if (element.Value is { Length: Digits } text && text.All(char.IsAsciiHexDigit))
            secrets.Add(new CookieSecret(Convert.FromHexString(text)));
        else
            binder.Expect(element, path, $"a secret of {Digits} hexadecimal digits");
    }

    private static void Check(SettingNode list, string path, SettingsBinder binder, List<CookieSecret> secrets)
    {
        if (secrets.Count > MaxSecrets)
            binder.Report(list, $"{path} has {secrets.Count} secrets: expected at most {MaxSecrets}");
    }
}

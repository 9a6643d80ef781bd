namespace Dns.Features.Admin;

/// <summary>Reads <c>Dns:Admin</c>. A token is never repeated in a message.</summary>
public static class AdminSetting
{
    private const int LeastToken = 16, MostToken = 255;

    /// <summary><c>Listen</c>: one address with a port, or null.</summary>
    public static SettingValue<IPEndPoint?> Listen { get; } = new("string null",
        "an address with a port, such as 127.0.0.1:8053 or [::1]:8053, or null", "text, or `null`",
        (node, path, binder, out address) =>
        {
            address = null;
            if (IsNull(node)) return true;
            if (!ListenSetting.TryParse(node.Value!, out address) || !HasPort(node.Value!)) return false;
            if (ListenSetting.ExpectedInsteadOf(address) is { } expected) binder.Expect(node, path, expected);
            return true;
        }, address => address?.ToString());

    /// <summary><c>Token</c>.</summary>
    public static SettingValue<string?> Token { get; } = new SettingValue<string?>("string null",
        $"a token of {LeastToken} to {MostToken} characters of ASCII without spaces, or null", "text, or `null`",
        (node, _, _, out token) =>
            (token = IsNull(node) ? null : node.Value) is null || IsToken(token), token => token)
        .Limit("minLength", LeastToken).Limit("maxLength", MostToken);

    /// <summary>Finds an address that the whole network could reach without showing anything.</summary>
    public static void RefuseOpen(AdminOptions admin, SettingsProblems problems)
    {
        if (admin is not { Listen: { } address, Token: null, Open: AdminOpen.Nothing }) return;
        if (IPAddress.IsLoopback(address.Address)) return;
        problems.Report("Listen", $"Dns:Admin:Listen is \"{address}\", which others can reach: expected a loopback "
            + "address, or beside it Dns:Admin:Token, or Dns:Admin:Open \"health\" or \"metrics\" for those alone");
    }

    /// <summary>Outside files null is a word: <c>--Dns:Admin:Listen=null</c> does without the port.</summary>
    private static bool IsNull(SettingNode node) => node is { Kind: SettingKind.Untyped, Value: "null" or "" };

    /// <summary>Port 53 is the one meant when a DNS address names none; here it would be a typing error.</summary>
    private static bool HasPort(string text) =>
        text.StartsWith('[') ? text.Contains("]:") : text.Count(c => c == ':') == 1;

    private static bool IsToken(string text) =>
        text.Length is >= LeastToken and <= MostToken && text.All(c => c is > ' ' and < '\x7F');
}

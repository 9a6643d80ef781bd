namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:Admin</c>. A token is never repeated in a message.</summary>
internal static class AdminSetting
{
    private const int LeastToken = 16, MostToken = 255;

    /// <summary>Reads <c>Listen</c>: one address with a port, or null.</summary>
    public static void ApplyListen(SettingNode node, string path, SettingsBinder binder)
    {
        if (IsNull(node)) binder.Options.Admin.Listen = null;
        else if (node.Value is not null && ListenSetting.TryParse(node.Value, out IPEndPoint? address) &&
            HasPort(node.Value))
        {
            binder.Options.Admin.Listen = address;
            if (ListenSetting.ExpectedInsteadOf(address) is { } expected) binder.Expect(node, path, expected);
        }
        else binder.Expect(node, path, "an address with a port, such as 127.0.0.1:8053 or [::1]:8053, or null");
    }

    public static void ApplyToken(SettingNode node, string path, SettingsBinder binder)
    {
        if (IsNull(node)) binder.Options.Admin.Token = null;
        else if (node.Kind is SettingKind.Text or SettingKind.Untyped && IsToken(node.Value!))
            binder.Options.Admin.Token = node.Value;
        else binder.Expect(node, path,
            $"a token of {LeastToken} to {MostToken} characters of ASCII without spaces, or null");
    }

    /// <summary>Finds an address that the whole network could reach without showing anything.</summary>
    public static void RefuseOpen(SettingNode admin, SettingsBinder binder)
    {
        if (binder.Options.Admin is not { Listen: { } address, Token: null, Open: AdminOpen.Nothing }) return;
        if (IPAddress.IsLoopback(address.Address)) return;
        binder.Report(admin.Find("Listen") ?? admin,
            $"Dns:Admin:Listen is \"{address}\", which others can reach: expected a loopback address, or beside it " +
                $"Dns:Admin:Token, "
            + "or Dns:Admin:Open \"health\" or \"metrics\" for those alone");
    }

    /// <summary>Outside files null is a word: <c>--Dns:Admin:Listen=null</c> does without the port.</summary>
    private static bool IsNull(SettingNode node) =>
        node.Kind == SettingKind.Null || node is { Kind: SettingKind.Untyped, Value: "null" or "" };

    /// <summary>Port 53 is the one meant when a DNS address names none; here it would be a typing error.</summary>
    private static bool HasPort(string text) =>
        text.StartsWith('[') ? text.Contains("]:") : text.Count(c => c == ':') == 1;

    private static bool IsToken(string text) =>
        text.Length is >= LeastToken and <= MostToken && text.All(c => c is > ' ' and < '\x7F');
}

namespace Dns.Configuration.Rules;

/// <summary>An address of HTTP, or null.</summary>
internal sealed class UrlRule(string name, Action<ServerOptions, Uri?> set) : SettingRule(name)
{
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind == SettingKind.Null) set(binder.Options, null);
        else if (node.Kind is SettingKind.Text or SettingKind.Untyped &&
            Uri.TryCreate(node.Value, UriKind.Absolute, out Uri? url)
            && url.Scheme is "http" or "https") set(binder.Options, url);
        else binder.Expect(node, path, "an address such as http://127.0.0.1:4318, or null");
    }
}

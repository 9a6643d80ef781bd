namespace Dns.Import.Tests;

public class FormatRecognitionTests
{
    [Theory]
    [InlineData("a", "options { };\n", "Bind")]
    [InlineData("a", "# x\ninclude \"/etc/bind/named.conf.options\";\n", "Bind")]
    [InlineData("a", "server:\n    zonesdir: \"/z\"\nzone:\n    name: a.example\n", "Nsd")]
    [InlineData("a", "server:\n    listen: 192.0.2.1@53\nzone:\n  - domain: a.example\n", "Knot")]
    [InlineData("a", "server:\n    access-control: 10.0.0.0/8 allow\n", "Unbound")]
    [InlineData("a", "include-toplevel: \"/etc/unbound/unbound.conf.d/*.conf\"\n", "Unbound")]
    [InlineData("a", "server: interface: 127.0.0.1 access-control: 10.0.0.0/8 allow\n", "Unbound")]
    [InlineData("/etc/unbound/x.conf", "server:\n    port: 53\n", "Unbound")]
    [InlineData("/etc/nsd/nsd.conf", "server:\n    port: 53\n", "Nsd")]
    [InlineData("/etc/knot/knot.conf", "server:\n    identity: x\n", "Knot")]
    [InlineData("/etc/bind/named.conf", "", "Bind")]
    public void A_configuration_is_recognised_by_its_text_and_then_by_its_name(string file, string text,
        string expected) =>
        Assert.Equal(expected, FormatRecognition.Find(file, text).ToString());

    [Theory]
    [InlineData(".:53 {\n    forward . 192.0.2.53\n    cache\n}\n", "a Corefile (CoreDNS)")]
    [InlineData("domain-needed\nbogus-priv\nserver=/corp.example/192.0.2.1\n", "a dnsmasq.conf (dnsmasq)")]
    [InlineData("# x\nserver=192.0.2.53\ncache-size=1000\n", "a dnsmasq.conf (dnsmasq)")]
    [InlineData("launch=gmysql\nlocal-address=0.0.0.0\n", "a pdns.conf (PowerDNS)")]
    [InlineData("allow-from=10.0.0.0/8\nforward-zones-recurse=.=192.0.2.53\n", "a recursor.conf (PowerDNS Recursor)")]
    [InlineData("recursor:\n  forward_zones:\n    - zone: example.com\n", "a recursor.yml (PowerDNS Recursor)")]
    [InlineData("setLocal('192.0.2.1')\nnewServer({address='192.0.2.2'})\n", "a dnsdist.conf (dnsdist)")]
    [InlineData("$ORIGIN example.com.\n@ 3600 IN SOA ns h 1 2 3 4 5\n", "a zone file (dnsd zone check reads it)")]
    [InlineData("@ IN SOA ns h 1 2 3 4 5\n", "a zone file (dnsd zone check reads it)")]
    [InlineData("nameserver 192.0.2.53\nsearch example.com\n", "a resolv.conf")]
    [InlineData("[Resolve]\nDNS=192.0.2.53\n", "a file of sections in brackets, such as resolved.conf,")]
    [InlineData("{ \"Dns\": { } }\n", "JSON, as in settings of dnsd,")]
    [InlineData("// named.conf:1: a note\n\n{\n  \"Dns\": {\n  }\n}\n", "JSON, as in settings of dnsd,")]
    public void A_configuration_that_is_not_translated_is_named(string text, string expected) =>
        Assert.Equal(expected, ImportCommand.Describe(FormatRecognition.Find("x", text)));

    [Fact]
    public async Task A_foreign_file_is_an_error_and_nothing_is_written()
    {
        using SettingsFolder folder = new();
        using StringWriter output = new(), errors = new();
        string file = folder.Write("Corefile", ". {\n    forward . 192.0.2.53\n}\n"),
            target = Path.Combine(folder.Root, "dnsd.json");
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", file, "-o", target], output, errors));
        Assert.Equal(
            $"{file}: error: this is a Corefile (CoreDNS) and not translated: import reads named.conf, nsd.conf, " +
                $"knot.conf or unbound.conf",
            errors.ToString().Trim());
        Assert.False(File.Exists(target));
        errors.GetStringBuilder().Clear();
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", folder.Write("what", "hello\n")], output, errors));
        Assert.Contains("set it with --from", errors.ToString());
    }
}

using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>The files that run the image say what the Dockerfile says.</summary>
public class ManifestTests
{
    private static readonly string Dockerfile = Repository.Read("Dockerfile");

    private static string OneOf(string pattern) => Regex.Match(Dockerfile, pattern, RegexOptions.Multiline).Groups[1].Value;

    /// <summary>The manifests.</summary>
    public static TheoryData<string> Files =>
        new("packaging/container/compose.yaml", "packaging/kubernetes/deployment.yaml", "packaging/kubernetes/daemonset.yaml");

    [Theory]
    [MemberData(nameof(Files))]
    public void A_manifest_names_the_ports_the_folder_and_the_probe_of_the_image(string file)
    {
        string manifest = Repository.Read(file);
        string volume = OneOf(@"^VOLUME (\S+)$"), probe = OneOf(@"CMD (\[""/app/dnsd"", ""query"".*)\]$");
        Assert.Equal("/zones", volume);
        Assert.Contains("EXPOSE 53/udp 53/tcp", Dockerfile);
        Assert.Contains("image: dnsd:latest", manifest);
        Assert.Contains(probe.TrimStart('['), manifest);
        Assert.Matches($@":{volume}:ro|mountPath: {volume}, readOnly: true", manifest);
        Assert.Matches(@"53/udp|containerPort: 53,.* protocol: UDP", manifest);
        Assert.Matches(@"53/tcp|containerPort: 53,.* protocol: TCP", manifest);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void A_manifest_takes_away_what_the_server_does_not_need(string file)
    {
        string manifest = Repository.Read(file);
        Assert.Matches("read_only: true|readOnlyRootFilesystem: true", manifest);
        Assert.Matches(@"cap_drop: \[ALL\]|drop: \[ALL\]", manifest);
        Assert.Matches("no-new-privileges:true|allowPrivilegeEscalation: false", manifest);
    }

    [Theory]
    [InlineData("packaging/container/compose.yaml")]
    [InlineData("packaging/kubernetes/deployment.yaml")]
    public void In_a_network_of_its_own_the_server_has_the_user_of_the_image(string file) =>
        Assert.Matches($"(user: \"|runAsUser: ){OneOf(@"^USER (\d+)$")}\\b", Repository.Read(file));
}

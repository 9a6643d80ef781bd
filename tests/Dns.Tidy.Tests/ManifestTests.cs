using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>The manifests agree with the Dockerfile.</summary>
public class ManifestTests
{
    private static readonly string Dockerfile = Repository.Read("Dockerfile");

    private static string OneOf(string pattern) =>
        Regex.Match(Dockerfile, pattern, RegexOptions.Multiline).Groups[1].Value;

    /// <summary>The manifests.</summary>
    public static TheoryData<string> Files =>
        new("packaging/container/compose.yaml", "packaging/kubernetes/base/deployment.yaml",
            "packaging/kubernetes/node/daemonset.yaml");

    [Theory]
    [MemberData(nameof(Files))]
    public void A_manifest_names_the_ports_and_the_folder_of_the_image(string file)
    {
        string manifest = Repository.Read(file);
        string volume = OneOf(@"^VOLUME (\S+)$");
        Assert.Equal("/zones", volume);
        Assert.Contains("EXPOSE 53/udp 53/tcp", Dockerfile);
        Assert.Contains("image: dnsd:latest", manifest);
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

    [Fact]
    public void Compose_has_the_health_check_of_the_image() => Assert.Contains(
        OneOf(@"^HEALTHCHECK .*CMD \[(""/app/dnsd"", .*)\]$"), Repository.Read("packaging/container/compose.yaml"));

    [Theory]
    [InlineData("packaging/kubernetes/base/deployment.yaml", "httpGet: { path: /health/ready, port: admin }")]
    [InlineData("packaging/kubernetes/node/daemonset.yaml", "exec: { command: [\"/app/dnsd\", \"ready\"] }")]
    public void Start_and_readiness_wait_for_the_zones(string file, string probe)
    {
        string manifest = Repository.Read(file);
        foreach (string name in (string[])["startupProbe", "readinessProbe"])
            Assert.Contains($"{name}:\n            {probe}", manifest);
        Assert.DoesNotContain("tcpSocket", manifest);
    }

    [Fact]
    public void The_base_opens_the_paths_that_its_probes_and_its_monitor_ask()
    {
        Assert.Contains("\"Open\": \"metrics\"", Repository.Read("packaging/kubernetes/base/dnsd.json"));
        Assert.Contains("name: admin, containerPort: 8053",
            Repository.Read("packaging/kubernetes/base/deployment.yaml"));
        Assert.Contains("port: admin, path: /metrics",
            Repository.Read("packaging/kubernetes/monitoring/servicemonitor.yaml"));
    }

    [Fact]
    public void Every_resource_that_a_kustomization_names_is_there()
    {
        foreach (string folder in (string[])["base", "node", "monitoring"])
        {
            string path = "packaging/kubernetes/" + folder;
            Match list = Regex.Match(Repository.Read(path + "/kustomization.yaml"), @"^resources: \[ (.*) \]$",
                RegexOptions.Multiline);
            foreach (string resource in list.Groups[1].Value.Split(", "))
                Assert.NotEmpty(Repository
                    .Read(resource.StartsWith("../") ? $"{path}/{resource}/kustomization.yaml" : $"{path}/{resource}"));
        }
    }

    [Theory]
    [InlineData("packaging/container/compose.yaml")]
    [InlineData("packaging/kubernetes/base/deployment.yaml")]
    public void In_a_network_of_its_own_the_server_has_the_user_of_the_image(string file) =>
        Assert.Matches($"(user: \"|runAsUser: ){OneOf(@"^USER (\d+)$")}\\b", Repository.Read(file));
}

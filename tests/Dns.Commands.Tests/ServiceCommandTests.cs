using Dns.Testing;

namespace Dns.Commands.Tests;

public class ServiceCommandTests
{
    [LinuxFact]
    public async Task A_dry_run_prints_the_unit()
    {
        StringWriter output = new(), errors = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(
            ["service", "install", "--dry-run", "--program", "/opt/dnsd/dnsd", "--user", "dns"], output, errors));
        ServiceDefinition service = new("/opt/dnsd/dnsd", "/etc/dnsd/dnsd.json", "dns")
        {
            WriteSettings = ServiceSettings.WriteIfMissing,
        };
        Assert.Equal(SystemdUnit.Text(service).TrimEnd(), output.ToString().TrimEnd());
        Assert.Empty(errors.ToString());
    }
}

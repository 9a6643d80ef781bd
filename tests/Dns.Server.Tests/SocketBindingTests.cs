using System.Net;
using Dns.Transport;

namespace Dns.Server.Tests;

public class SocketBindingTests
{
    private static BindFailure Failure(string address, BindFailureKind kind) =>
        new(IPEndPoint.Parse(address), default, kind, "no");

    [Theory]
    [InlineData("[::1]:5335", 1, true)]
    [InlineData("[::1]:53", 1, true)]
    [InlineData("[::]:53", 1, true)]
    [InlineData("127.0.0.1:5335", 1, true)]
    [InlineData("[::1]:5335", 0, false)]
    [InlineData("192.0.2.1:53", 1, false)]
    [InlineData("[2001:db8::1]:53", 1, false)]
    public void An_address_that_the_machine_lacks_may_be_a_warning(string address, int bound, bool isWarning)
    {
        var (errors, warnings) = SocketBinding.Judge([Failure(address, BindFailureKind.AddressNotAvailable)], bound);
        Assert.Equal((isWarning ? 0 : 1, isWarning ? 1 : 0), (errors.Count, warnings.Count));
    }

    [Theory]
    [InlineData(BindFailureKind.AddressInUse)]
    [InlineData(BindFailureKind.PermissionDenied)]
    [InlineData(BindFailureKind.Other)]
    public void Every_other_failure_prevents_the_start(BindFailureKind kind) =>
        Assert.Single(SocketBinding.Judge([Failure("[::1]:5335", kind)], 1).Errors);
}

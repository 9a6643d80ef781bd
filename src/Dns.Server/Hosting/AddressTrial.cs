using System.Net.Sockets;

namespace Dns.Server.Hosting;

/// <summary>
/// Whether this machine has the addresses of <c>Dns:Listen</c>: binds a free port of each, since the list of interfaces
/// lacks what a route or <c>ip_nonlocal_bind</c> makes local.
/// </summary>
internal static class AddressTrial
{
    /// <summary>Finds each element of the list without which a start would be refused.</summary>
    public static IEnumerable<SettingDiagnostic> Find(Settings settings)
    {
        if (settings.Root?.Find("Dns")?.Find("Listen") is not { } list) yield break;
        List<BindFailure> absent = [];
        foreach (IPEndPoint endPoint in settings.Options.Listen)
            if (TryBind(endPoint) is { Kind: BindFailureKind.AddressNotAvailable } failure) absent.Add(failure);
        var (errors, _) = SocketBinding.Classify(absent, settings.Options.Listen.Count - absent.Count);
        foreach (SettingNode element in list.Children)
            if (ForeignAddress.ReadListen(element.Value!)
                .FirstOrDefault(own => errors.Exists(error => error.EndPoint.Equals(own))) is { } missing)
                yield return new SettingDiagnostic(element.Location,
                    $"Dns:Listen:{element.Name} is \"{element.Value}\": this machine does not have {missing.Address}, "
                    + "expected an address that it has");
    }

    private static BindFailure? TryBind(IPEndPoint endPoint)
    {
        try
        {
            using Socket socket = new(endPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(new IPEndPoint(endPoint.Address, 0));
            return null;
        }
        catch (SocketException error)
        {
            return BindFailure.From(endPoint, ProtocolType.Udp, error);
        }
    }
}

namespace Dns.Import.Shared;

/// <summary>Writes other servers and those who may do something in the form of settings.</summary>
internal static class ImportedPeers
{
    /// <summary>A server that messages are sent to; port 53 is left out.</summary>
    /// <param name="key">The rule of its key, such as <c>key:k1.</c>; null = none.</param>
    public static string Server(ImportedAddress server, string? key)
    {
        string address = server.Port == ListenSetting.DefaultPort ? server.Host : server.ToString();
        return key is null ? address : $"{address} {key}";
    }

    /// <summary>Reads <c>ADDRESS</c> or <c>ADDRESS@PORT</c>.</summary>
    public static bool TryReadServer(string text, int port, out ImportedAddress server)
    {
        string[] parts = text.Split('@');
        server = default;
        return parts.Length <= 2 && (parts.Length == 1 || ImportedAddress.TryParsePort(parts[1], out port))
            && ImportedAddress.TryParse(parts[0], port, out server) && ForeignAddress.IsOne(server.EndPoint);
    }

    /// <summary>Rules for networks, each with a key; all networks with a key are the key alone.</summary>
    public static IEnumerable<string> Rules(IReadOnlyCollection<string> networks, string? key) =>
        key is not null && ImportedClients.AllNetworks.All(networks.Contains) ? [key]
            : networks.Select(network => key is null ? network : $"{network} {key}");
}

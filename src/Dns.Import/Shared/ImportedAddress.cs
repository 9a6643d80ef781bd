namespace Dns.Import.Shared;

/// <summary>An address with a port, as settings write it.</summary>
/// <param name="Scope">The interface of a link-local address by its name; empty = none (RFC 4007 §11).</param>
internal readonly record struct ImportedAddress(IPAddress Address, string Scope, int Port)
{
    public bool IsWildcard => Address.Equals(IPAddress.Any) || Address.Equals(IPAddress.IPv6Any);

    public IPEndPoint EndPoint => new(Address, Port);

    /// <summary>The address without its port.</summary>
    public string Host => Scope.Length > 0 ? $"{Address}%{Scope}" : Address.ToString();

    /// <summary>Reads <c>ADDRESS</c> or <c>ADDRESS%INTERFACE</c>.</summary>
    public static bool TryParse(string text, int port, out ImportedAddress address)
    {
        string[] parts = text.Split('%');
        bool isAddress = AddressText.TryParse(parts[0], out IPAddress? parsed)
            // "010.0.0.1" is another address to the system's parser, and none to other servers.
            && (text.Contains(':') || parsed.ToString() == text)
            && (parts.Length == 1 || parts is [_, { Length: > 0 }] && parsed.IsIPv6LinkLocal);
        address = isAddress ? new ImportedAddress(parsed!, parts.Length > 1 ? parts[1] : "", port) : default;
        return isAddress;
    }

    /// <summary>Reads a port; 0 is none.</summary>
    public static bool TryParsePort(string? text, out int port) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port is > 0 and <= IPEndPoint.MaxPort;

    /// <inheritdoc/>
    public override string ToString() => Scope.Length > 0 ? $"[{Host}]:{Port}" : EndPoint.ToString();

    /// <summary>The addresses of this machine, with port 0; none if the system does not say.</summary>
    public static IReadOnlyList<ImportedAddress> OfThisMachine() =>
        [.. MachineAddresses.All().Select(own => new ImportedAddress(own.Address, own.Interface, 0))];
}

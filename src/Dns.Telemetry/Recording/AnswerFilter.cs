namespace Dns.Telemetry.Recording;

/// <summary>Selects the recorded answers: those that match each list that is not empty. Allocates nothing.</summary>
public sealed class AnswerFilter
{
    private readonly ClientNetworks? _clients;
    private readonly DomainName[] _zones;
    private readonly uint _rcodes;

    /// <summary>Selects by client network, by zones at or above the queried name, and by RCODE of the header.</summary>
    public AnswerFilter(IReadOnlyList<IPNetwork> clients, IReadOnlyList<DomainName> zones, IReadOnlyList<Rcode> rcodes)
    {
        _clients = clients.Count > 0 ? new ClientNetworks(clients) : null;
        _zones = [.. zones];
        foreach (Rcode rcode in rcodes) _rcodes |= 1u << (int)rcode;
        if (rcodes.Count == 0) _rcodes = uint.MaxValue;
    }

    /// <summary>Leaves nothing out.</summary>
    public static AnswerFilter None { get; } = new([], [], []);

    /// <summary>Whether an answer, at least a header, is recorded.</summary>
    public bool Takes(ReadOnlySpan<byte> answer, ref ClientAddress client)
    {
        if ((_rcodes >> (MessageHeader.Flags(answer) & MessageHeader.RcodeMask) & 1) == 0) return false;
        if (_clients is not null && !_clients.Contains(ref client)) return false;
        return _zones.Length == 0 || IsInZone(answer);
    }

    private bool IsInZone(ReadOnlySpan<byte> answer)
    {
        if (!MessageReader.TryOpen(answer, out MessageReader message)) return false;
        if (!message.TryReadQuestion(out QuestionReader question) || !question.TryGetName(out ReadOnlySpan<byte> name))
            return false;
        foreach (DomainName zone in _zones)
            if (WireName.IsAtOrBelow(name, zone.Octets)) return true;
        return false;
    }
}

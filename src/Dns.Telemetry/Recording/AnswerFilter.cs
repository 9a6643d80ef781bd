using System.Net;

namespace Dns.Telemetry;

/// <summary>
/// Says which answers are recorded: those that fit each list that is not empty. Allocates nothing for an answer.
/// </summary>
internal sealed class AnswerFilter
{
    private readonly ClientNetworks? _clients;
    private readonly DomainName[] _zones;
    private readonly uint _rcodes;

    /// <summary>Makes one; an empty list leaves nothing out.</summary>
    /// <param name="clients">The networks of the clients.</param>
    /// <param name="zones">The names at or above that of the question.</param>
    /// <param name="rcodes">The codes, as the header has them.</param>
    public AnswerFilter(IReadOnlyList<IPNetwork> clients, IReadOnlyList<DomainName> zones, IReadOnlyList<Rcode> rcodes)
    {
        _clients = clients.Count > 0 ? new ClientNetworks(clients) : null;
        _zones = [.. zones];
        foreach (Rcode rcode in rcodes) _rcodes |= 1u << (int)rcode;
        if (rcodes.Count == 0) _rcodes = uint.MaxValue;
    }

    /// <summary>Leaves nothing out.</summary>
    public static AnswerFilter None { get; } = new([], [], []);

    /// <summary>Whether an answer is recorded.</summary>
    /// <param name="answer">The message, at least a header.</param>
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

using System.Buffers;

namespace Dns.Telemetry.Recording;

/// <summary>A copy of one answer for a log. Pooled; longer answers borrow a longer buffer for the time.</summary>
public sealed class AnswerRecord
{
    private const int UsualOctets = 1280;

    private readonly byte[] _usual = new byte[UsualOctets];
    private byte[]? _longer;
    private int _length;

    public ClientAddress Client;

    public AnswerFacts Facts { get; private set; }

    public ReadOnlySpan<byte> Message => (_longer ?? _usual).AsSpan(0, _length);

    public void Fill(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts)
    {
        if (answer.Length > UsualOctets) _longer = ArrayPool<byte>.Shared.Rent(answer.Length);
        _length = answer.Length;
        answer.CopyTo(_longer ?? _usual);
        Client = client;
        Facts = facts;
    }

    /// <summary>Gives back what was borrowed.</summary>
    public void Clear()
    {
        if (_longer is null) return;
        ArrayPool<byte>.Shared.Return(_longer);
        _longer = null;
    }
}

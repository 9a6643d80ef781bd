namespace Dns.Telemetry.Recording;

/// <summary>Takes a share of all answers, by chance: what clients and the clock draw, mixed.</summary>
public readonly struct SampleShare
{
    private readonly ulong _limit;

    /// <summary>A share of 0 to 1.</summary>
    public SampleShare(double share) => _limit = share >= 1 ? ulong.MaxValue : (ulong)(share * ulong.MaxValue);

    public bool Takes(ReadOnlySpan<byte> answer, long ended)
    {
        if (_limit == ulong.MaxValue) return true;
        ulong mixed = ((ulong)ended << 16 | BinaryPrimitives.ReadUInt16BigEndian(answer)) * 0x9E3779B97F4A7C15;
        mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93;
        return (mixed ^ mixed >> 32) < _limit;
    }
}

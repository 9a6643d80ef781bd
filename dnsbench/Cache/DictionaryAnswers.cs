using System.Buffers.Binary;
using System.Collections.Concurrent;

namespace Dns.Bench;

/// <summary>
/// Baseline: an array for each answer in a <see cref="ConcurrentDictionary{TKey, TValue}"/> by the hash of the name. It
/// neither compares the name nor evicts, so it does less than a cache must.
/// </summary>
internal sealed class DictionaryAnswers(CachedNames names)
{
    private static readonly byte[] Record = [0xC0, 12, 0, 1, 0, 1, 0, 1, 0, 0, 0, 4, 192, 0, 2, 1];

    private readonly ConcurrentDictionary<ulong, (byte[] Octets, long StoredAt)> _answers = new();
    private readonly byte[] _destination = new byte[1232];

    public void Store(long number) =>
        _answers[names.Hash(number)] = (Record.AsSpan().ToArray(), TimeProvider.System.GetTimestamp());

    public bool Ask(long number)
    {
        if (!_answers.TryGetValue(names.Hash(number), out (byte[] Octets, long StoredAt) answer)) return false;
        uint age = (uint)TimeProvider.System.GetElapsedTime(answer.StoredAt).TotalSeconds;
        answer.Octets.CopyTo(_destination, 0);
        Span<byte> ttl = _destination.AsSpan(6, sizeof(uint));
        BinaryPrimitives.WriteUInt32BigEndian(ttl, BinaryPrimitives.ReadUInt32BigEndian(ttl) - age);
        return true;
    }
}

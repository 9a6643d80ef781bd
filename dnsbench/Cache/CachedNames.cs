namespace Dns.Bench;

/// <summary>
/// A cache with numbers as names: number N stands for <c>N in hexadecimal digits.example. A</c>, with one address.
/// </summary>
internal sealed class CachedNames(AnswerCache cache)
{
    private const int Digits = 12;
    private static readonly AcceptanceRules Rules = new(DomainName.Root, new CacheOptions());

    private readonly AcceptedAnswer _accepted = new();
    private readonly byte[] _destination = new byte[1232];
    private readonly byte[] _name = [Digits, .. new byte[Digits], 7, .. "example"u8, 0];
    private readonly byte[] _reply = BuildReply();
    private readonly long _now = TimeProvider.System.GetTimestamp();
    private LookupName _lookup;

    /// <summary>Octets of the records stored for each name.</summary>
    internal const int RecordOctets = 16;

    /// <summary>Only reads and hashes the name: the part of a hit outside of the cache.</summary>
    internal ulong Hash(long number)
    {
        SetName(number);
        _lookup.TryRead(_name, 0, _name.Length);
        return _lookup.Hash;
    }

    public bool Ask(long number)
    {
        SetName(number);
        _lookup.TryRead(_name, 0, _name.Length);
        Protocol.Messages.Question question = new(in _lookup, RRType.A, RRClass.IN, 0);
        return cache.TryCopy(in question, _now, _destination, out _) == CacheState.Fresh;
    }

    public void Store(long number)
    {
        SetName(number);
        _lookup.TryRead(_name, 0, _name.Length);
        Protocol.Messages.Question question = new(in _lookup, RRType.A, RRClass.IN, 0);
        _name.CopyTo(_reply.AsSpan(MessageHeader.LengthOctets));
        if (ReplyReader.Read(in question, _reply, Rules, false, _accepted) != ReplyVerdict.Accepted)
            throw new InvalidDataException("the reply of the benchmark is not accepted");
        cache.Store(in question, _accepted);
    }

    private void SetName(long number)
    {
        Span<byte> digits = _name.AsSpan(1, Digits);
        for (int i = Digits - 1; i >= 0; i--, number >>= 4) digits[i] = "0123456789abcdef"u8[(int)number & 15];
    }

    private static byte[] BuildReply()
    {
        byte[] question = [Digits, .. new byte[Digits], 7, .. "example"u8, 0, 0, 1, 0, 1];
        byte[] record = [0xC0, 12, 0, 1, 0, 1, 0, 1, 0, 0, 0, 4, 192, 0, 2, 1];
        byte[] head = [0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0];
        return [.. head, .. question, .. record];
    }
}

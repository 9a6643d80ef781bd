namespace Dns.Protocol.Tests;

/// <summary>A simple walk over a message, the oracle of <see cref="MessageReader"/>.</summary>
internal sealed class PlainMessage
{
    /// <summary>Where one record is.</summary>
    public sealed record Record(int Section, int Owner, int Type, int Class, uint Ttl, int Rdata, int Octets,
        bool IsLast);

    private readonly byte[] _octets;
    private int _position = 12;

    public PlainMessage(byte[] octets)
    {
        _octets = octets;
        IsWhole = Walk();
    }

    /// <summary>Offset of the name, QTYPE, QCLASS.</summary>
    public List<(int Name, int Type, int Class)> Questions { get; } = [];

    public List<Record> Records { get; } = [];

    public bool IsWhole { get; }

    private bool Walk()
    {
        for (int i = Number(4); i > 0; i--)
        {
            int name = _position;
            if (!SkipName() || _position + 4 > _octets.Length) return false;
            Questions.Add((name, Number(_position), Number(_position + 2)));
            _position += 4;
        }
        for (int section = 1; section <= 3; section++)
            for (int i = Number(4 + section * 2); i > 0; i--)
                if (!ReadRecord(section)) return false;
        return _position == _octets.Length;
    }

    private bool ReadRecord(int section)
    {
        int owner = _position, total = Number(6) + Number(8) + Number(10);
        if (!SkipName() || _position + 10 > _octets.Length) return false;
        int at = _position, length = Number(at + 8);
        if (at + 10 + length > _octets.Length) return false;
        Records.Add(new Record(section, owner, Number(at), Number(at + 2),
            (uint)(Number(at + 4) << 16 | Number(at + 6)), at + 10, length, Records.Count + 1 == total));
        _position = at + 10 + length;
        return true;
    }

    private bool SkipName()
    {
        while (_position < _octets.Length)
        {
            int label = _octets[_position];
            if (label >= 0xC0)
            {
                if (_position + 1 >= _octets.Length || (Number(_position) & 0x3FFF) >= _position) return false;
                _position += 2;
                return true;
            }
            if (label >= 0x40) return false;
            _position += label + 1;
            if (label == 0) return true;
        }
        return false;
    }

    private int Number(int at) => _octets[at] << 8 | _octets[at + 1];
}

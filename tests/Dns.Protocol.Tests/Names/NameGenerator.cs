namespace Dns.Protocol.Tests;

/// <summary>Makes names at random: of all lengths, often with letters of both cases, sometimes of any octets.</summary>
internal sealed class NameGenerator(int seed)
{
    private readonly Random _random = new(seed);

    public Random Random => _random;

    public byte[] Next()
    {
        int target = _random.Next(4) == 0 ? WireName.MaxOctets : _random.Next(1, 40);
        int maxLabel = _random.Next(3) switch { 0 => 1, 1 => 12, _ => WireName.MaxLabelOctets };
        List<byte> name = [];
        while (name.Count + 2 < target)
        {
            byte[] label = Label(Math.Min(_random.Next(1, maxLabel + 1), target - name.Count - 2));
            name.AddRange([(byte)label.Length, .. label]);
        }
        return [.. name, 0];
    }

    public byte[] Label(int length)
    {
        byte[] label = new byte[length];
        if (_random.Next(2) == 0) _random.NextBytes(label);
        else for (int i = 0; i < length; i++) label[i] = "abcyzABCYZ019-_@[`{"u8[_random.Next(19)];
        return label;
    }

    /// <summary>The same name with the case of some letters turned.</summary>
    public byte[] Respell(byte[] name)
    {
        byte[] copy = [.. name];
        for (int start = 0; copy[start] != 0; start += copy[start] + 1)
            for (int i = start + 1; i <= start + copy[start]; i++)
                if (char.IsAsciiLetter((char)copy[i]) && _random.Next(2) == 0) copy[i] ^= 0x20;
        return copy;
    }
}

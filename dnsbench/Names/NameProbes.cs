namespace Dns.Bench;

/// <summary>Names to look up, in random order, adjacent in memory: reading them costs next to nothing.</summary>
internal sealed class NameProbes
{
    private readonly byte[] _octets;
    private readonly int[] _starts;

    internal NameProbes(NameSample sample, int count, bool miss)
    {
        Random random = new(11);
        _starts = new int[count + 1];
        using MemoryStream octets = new();
        Span<byte> name = stackalloc byte[255];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> drawn = sample[random.Next(sample.Count)];
            drawn.CopyTo(name);
            // '!' is in no name of the sample, and the rest of the name stays random.
            if (miss) name[2] = (byte)'!';
            octets.Write(name[..drawn.Length]);
            _starts[i + 1] = (int)octets.Length;
        }
        // Behind the last name, as behind every name in a slot, some octets may be read.
        octets.Write(stackalloc byte[64]);
        _octets = octets.ToArray();
    }

    internal int Count => _starts.Length - 1;

    internal ReadOnlySpan<byte> this[int index] => _octets.AsSpan(_starts[index].._starts[index + 1]);
}

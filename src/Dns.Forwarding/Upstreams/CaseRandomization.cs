namespace Dns.Forwarding.Upstreams;

/// <summary>
/// Case randomization (0x20): an upstream copies the letter case of a question, and an off-path forger has to guess one
/// more bit for each letter.
/// </summary>
internal static class CaseRandomization
{
    /// <summary>Randomizes a lower-case name in place. Length octets are below 64 and thus not letters.</summary>
    internal static void Apply(Span<byte> name, RandomOctets random)
    {
        Span<byte> bits = stackalloc byte[32];
        random.Fill(bits[..((name.Length + 7) / 8)]);
        for (int i = 0; i < name.Length; i++)
            if ((uint)(name[i] - 'a') < 26) name[i] ^= (byte)((bits[i >> 3] >> (i & 7) & 1) << 5);
    }
}

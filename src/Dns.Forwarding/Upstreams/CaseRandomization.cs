namespace Dns.Forwarding;

/// <summary>
/// Letters of a question in random case (0x20): an honest upstream copies them, a forger who does not see the query has to
/// guess one more bit for each letter.
/// </summary>
internal static class CaseRandomization
{
    /// <summary>Changes the case of letters of a lower-case name, in place. Length octets are below 64 and so are never letters.</summary>
    internal static void Apply(Span<byte> name, RandomOctets random)
    {
        Span<byte> bits = stackalloc byte[32];
        random.Fill(bits[..((name.Length + 7) / 8)]);
        for (int i = 0; i < name.Length; i++)
            if ((uint)(name[i] - 'a') < 26) name[i] ^= (byte)((bits[i >> 3] >> (i & 7) & 1) << 5);
    }
}

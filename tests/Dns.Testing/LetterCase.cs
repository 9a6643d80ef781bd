namespace Dns.Testing;

/// <summary>Character-strings that differ in letter case only.</summary>
public static class LetterCase
{
    private const int Letters = 24;

    /// <summary>The RDATA of a TXT record: 24 letters, of which those whose bit is set are upper case.</summary>
    public static byte[] TextOf(int bits)
    {
        byte[] rdata = new byte[1 + Letters];
        rdata[0] = Letters;
        for (int i = 0; i < Letters; i++) rdata[1 + i] = (byte)((bits >> i & 1) == 0 ? 'a' : 'A');
        return rdata;
    }
}

namespace Dns.Answering.Planning;

/// <summary>Answers about the server itself in class CH (RFC 4892), as encoded RDATA.</summary>
internal sealed class ChaosAnswers
{
    private readonly (byte[] Name, byte[] Rdata)[] _answers;

    internal ChaosAnswers(ResponderOptions options)
    {
        List<(byte[], byte[])> answers = [];
        if (options.Identity is not null)
        {
            answers.Add(("\u0002id\u0006server\0"u8.ToArray(), CharacterString(options.IdentityOctets)));
            answers.Add(("\u0008hostname\u0004bind\0"u8.ToArray(), CharacterString(options.IdentityOctets)));
        }
        if (options.Version is not null)
        {
            answers.Add(("\u0007version\u0004bind\0"u8.ToArray(), CharacterString(options.VersionOctets)));
            answers.Add(("\u0007version\u0006server\0"u8.ToArray(), CharacterString(options.VersionOctets)));
        }
        _answers = [.. answers];
    }

    internal bool TryFind(scoped ref readonly LookupName name, RRType type, out byte[] rdata)
    {
        rdata = [];
        if (type is not (RRType.TXT or RRType.ANY)) return false;
        foreach ((byte[] known, byte[] text) in _answers)
        {
            if (!name.Octets.SequenceEqual(known)) continue;
            rdata = text;
            return true;
        }
        return false;
    }

    private static byte[] CharacterString(byte[] text)
    {
        if (text.Length > ResponderOptions.MaxTextOctets)
            throw new ArgumentException($"longer than {ResponderOptions.MaxTextOctets} octets in UTF-8");
        return [(byte)text.Length, .. text];
    }
}

namespace Dns.Dnssec;

/// <summary>
/// How much is verified and hashed at most. Without a bound, a zone with many keys of one tag and many signatures at each RRset makes
/// one message cost minutes (CVE-2023-50387), and so do names with many labels in a zone with many iterations (CVE-2023-50868).
/// </summary>
public sealed class ValidationWork
{
    /// <summary>Keys with the algorithm and tag of a signature that are tried.</summary>
    public const int MaxKeysOfTag = 4;

    /// <summary>Signatures of one RRset that are looked at.</summary>
    public const int MaxSignatures = 16;

    /// <summary>Keys of one zone that are looked at.</summary>
    public const int MaxKeys = 64;

    /// <summary>Verifications of what one question takes, aliases and the chain of zones included.</summary>
    public const int DefaultVerifications = 128;

    /// <summary>Hashes of NSEC3 that one question takes, each iteration counted.</summary>
    public const int DefaultHashes = 16_384;

    /// <summary>Messages that are asked for to find the chain of zones.</summary>
    public const int DefaultQuestions = 128;

    private int _verifications;
    private int _hashes;
    private int _questions;

    /// <summary>Work with bounds.</summary>
    public ValidationWork(int verifications = DefaultVerifications, int hashes = DefaultHashes, int questions = DefaultQuestions) =>
        (_verifications, _hashes, _questions) = (verifications, hashes, questions);

    /// <summary>Without bounds, for zones of our own.</summary>
    public static ValidationWork Unbounded => new(int.MaxValue, int.MaxValue, int.MaxValue);

    /// <summary>Verifications that are left.</summary>
    public int VerificationsLeft => _verifications;

    /// <summary>Takes one verification.</summary>
    /// <returns>False if there is none left.</returns>
    internal bool TryVerification()
    {
        if (_verifications <= 0) return false;
        if (_verifications != int.MaxValue) _verifications--;
        return true;
    }

    /// <summary>Takes one question.</summary>
    internal bool TryQuestion() => _questions > 0 && _questions-- > 0;

    /// <summary>Takes the hash of one name.</summary>
    internal bool TryHash(int iterations)
    {
        if (_hashes <= iterations) return false;
        if (_hashes != int.MaxValue) _hashes -= iterations + 1;
        return true;
    }
}

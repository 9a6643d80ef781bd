namespace Dns.Dnssec.Validation;

/// <summary>
/// Bounds of verifications and hashes. Without them, one message could cost minutes in a zone with many keys of one tag
/// and many signatures of each RRset (CVE-2023-50387), or with many labels and many iterations (CVE-2023-50868).
/// </summary>
public sealed class ValidationWork
{
    /// <summary>Maximum keys tried with the algorithm and tag of a signature.</summary>
    public const int MaxKeysOfTag = 4;

    /// <summary>Maximum signatures of one RRset.</summary>
    public const int MaxSignatures = 16;

    /// <summary>Maximum keys of one zone.</summary>
    public const int MaxKeys = 64;

    /// <summary>Verifications for one question, including aliases and the chain of zones.</summary>
    public const int DefaultVerifications = 128;

    /// <summary>NSEC3 hashes for one question, each iteration counted.</summary>
    public const int DefaultHashes = 16_384;

    /// <summary>Messages queried for the chain of zones.</summary>
    public const int DefaultQuestions = 128;

    private int _verifications;
    private int _hashes;
    private int _questions;

    /// <summary>Bounded work.</summary>
    public ValidationWork(int verifications = DefaultVerifications, int hashes = DefaultHashes,
        int questions = DefaultQuestions) =>
        (_verifications, _hashes, _questions) = (verifications, hashes, questions);

    /// <summary>Unbounded, for zones of our own.</summary>
    public static ValidationWork Unbounded => new(int.MaxValue, int.MaxValue, int.MaxValue);

    /// <summary>Remaining verifications.</summary>
    public int VerificationsLeft => _verifications;

    /// <summary>Takes one verification; false if none is left.</summary>
    internal bool TryVerification()
    {
        if (_verifications <= 0) return false;
        if (_verifications != int.MaxValue) _verifications--;
        return true;
    }

    internal bool TryQuestion() => _questions > 0 && _questions-- > 0;

    /// <summary>Takes the hash of one name.</summary>
    internal bool TryHash(int iterations)
    {
        if (_hashes <= iterations) return false;
        if (_hashes != int.MaxValue) _hashes -= iterations + 1;
        return true;
    }
}

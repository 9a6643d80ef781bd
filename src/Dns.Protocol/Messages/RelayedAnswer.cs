namespace Dns.Protocol.Messages;

/// <summary>The description of an answer that is relayed as octets; the records were copied separately.</summary>
/// <remarks>
/// The records directly follow the question, without OPT. Their pointers assume the question's name at offset 12, so
/// they fit behind the same question in any message, in any letter case.
/// </remarks>
public struct RelayedAnswer
{
    /// <summary>Length of the records in octets, 0 to 65,535.</summary>
    public int Octets;

    /// <summary>The RCODE; never BADVERS or another extended one.</summary>
    public Rcode Rcode;

    /// <summary>Record count of the answer section.</summary>
    public ushort AnswerCount;

    /// <summary>Record count of the authority section.</summary>
    public ushort AuthorityCount;

    /// <summary>Record count of the additional section.</summary>
    public ushort AdditionalCount;

    /// <summary>Whether a trusted validator claims authentic data (AD, RFC 4035 §3.2.3).</summary>
    public bool AuthenticData;

    /// <summary>Whether the records did not fit: the answer is TC=1 and empty.</summary>
    public bool DoesNotFit;

    /// <summary>Whether the records are only an alias chain, whose last target must be looked up separately.</summary>
    public bool EndsInAlias;

    /// <summary>
    /// Whether it fails because others took its place, which a client whose address is proven takes before others: one
    /// that may be forged gets TC=1 instead.
    /// </summary>
    public bool WantsProof;

    /// <summary>Whether it is past its TTL: the upstream query continues.</summary>
    public bool IsStale;

    /// <summary>The extended error (RFC 8914); null for none.</summary>
    public ExtendedErrorCode? Error;
}

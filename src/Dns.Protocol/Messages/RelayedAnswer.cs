namespace Dns.Protocol;

/// <summary>
/// What stands behind a question when an answer is relayed as octets: the records were copied, this says how many there are.
/// </summary>
/// <remarks>
/// The records of such an answer start directly behind the question and have no OPT. Compressed names in them point into a
/// message whose question name starts at offset 12 and whose records start where that question ends; so they fit behind the
/// same question in any message, whatever its spelling.
/// </remarks>
public struct RelayedAnswer
{
    /// <summary>Length of the records in octets, 0 to 65,535.</summary>
    public int Octets;

    /// <summary>The response code; BADVERS and other extended codes never occur.</summary>
    public Rcode Rcode;

    /// <summary>Records of the answer section.</summary>
    public ushort AnswerCount;

    /// <summary>Records of the authority section.</summary>
    public ushort AuthorityCount;

    /// <summary>Records of the additional section.</summary>
    public ushort AdditionalCount;

    /// <summary>Whether whoever is trusted to validate said that the data is authentic (AD, RFC 4035 §3.2.3).</summary>
    public bool AuthenticData;

    /// <summary>Whether the records were left out because the room was too small: the answer is TC=1 and empty.</summary>
    public bool DoesNotFit;

    /// <summary>
    /// Whether the records are a chain of aliases alone, and the target of the last CNAME has to be asked for apart.
    /// </summary>
    public bool LeadsOn;

    /// <summary>Why the answer is what it is (RFC 8914); null if nothing needs explaining.</summary>
    public ExtendedErrorCode? Error;
}

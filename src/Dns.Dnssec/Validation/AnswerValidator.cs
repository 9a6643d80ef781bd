namespace Dns.Dnssec.Validation;

/// <summary>
/// Validates answers with trust anchors at one moment (RFC 4035 §5, RFC 5155 §8, RFC 6840). Pure: messages come from an
/// <see cref="IMessageSource"/>, time is a parameter, work is bounded. Caches the keys of zones, so one validator is
/// for one moment and one thread.
/// </summary>
/// <remarks>Stricter than a resolver: all RRsets of the answer and authority sections must be valid.</remarks>
public sealed class AnswerValidator
{
    private const int MaxAliases = 16;

    private readonly IMessageSource _source;
    private readonly ValidationWork _work;
    private readonly DateTimeOffset _now;
    private readonly TrustChain _chain;

    /// <summary>Creates a validator.</summary>
    /// <param name="work">The bound of its work; null = that of one question.</param>
    public AnswerValidator(IMessageSource source, IReadOnlyList<TrustAnchor> anchors, DateTimeOffset now,
        ValidationWork? work = null)
    {
        (_source, _now, _work) = (source, now, work ?? new ValidationWork());
        _chain = new TrustChain(source, anchors, now, _work);
    }

    /// <summary>Sends a query and validates the answer, and the answers for targets of aliases.</summary>
    public ValidationResult Validate(DomainName name, RRType type)
    {
        List<ValidatedRRset> rrsets = [];
        SecurityStatus status = SecurityStatus.Secure;
        string reason = "";
        ValidationResult result;
        int left = MaxAliases;
        do
        {
            if (!_work.TryQuestion() || _source.Query(name, type) is not byte[] message)
                return new ValidationResult(SecurityStatus.Indeterminate, TrustChain.NoReply(_source, name, type))
                    { Chain = _chain.Zones, RRsets = rrsets };
            result = Validate(message, name, type);
            rrsets.AddRange(result.RRsets);
            if (result.Status > status) (status, reason) = (result.Status, result.Reason);
            name = result.NextName ?? name;
        }
        while (result.NextName is not null && status != SecurityStatus.Bogus && left-- > 0);
        return result with { Status = status, Reason = reason, RRsets = rrsets };
    }

    /// <summary>Validates one reply to a question.</summary>
    /// <param name="message">The reply; any octets.</param>
    public ValidationResult Validate(ReadOnlySpan<byte> message, DomainName name, RRType type)
    {
        if (ReceivedMessage.TryRead(message, name.Octets, type) is not ReceivedMessage received)
            return new ValidationResult(SecurityStatus.Bogus, $"there is no answer for {name} that can be read")
                { Chain = _chain.Zones };
        if (received.Rcode is not (Rcode.NoError or Rcode.NXDomain))
            return new ValidationResult(SecurityStatus.Indeterminate,
                $"the answer for {name} is {RcodeText.Format(received.Rcode)}");
        return new MessageValidation(received, _chain, _now, _work).Run(name, type) with { Chain = _chain.Zones };
    }
}

namespace Dns.Answering.Steps;

/// <summary>
/// The reply of a policy: an RCODE, records, an extended error. Without records it denies name or type.
/// </summary>
public ref struct PolicyReply
{
    internal ResponseWriter Writer;

    /// <summary>The RCODE; NOERROR unless it is set.</summary>
    public Rcode Rcode { get; set; }

    /// <summary>The extended error for clients with EDNS; null = none.</summary>
    public ExtendedErrorCode? Error { get; set; }

    /// <summary>Adds a record to the answer section. If it does not fit, it is left out, and TC is set.</summary>
    /// <param name="owner">The wire name: of the question, or of an alias target.</param>
    /// <param name="ttl">TTL in seconds.</param>
    /// <param name="rdata">Valid RDATA, uncompressed.</param>
    public void Add(scoped ReadOnlySpan<byte> owner, RRType type, uint ttl, scoped ReadOnlySpan<byte> rdata) =>
        Writer.TryWriteRelayed(Section.Answer, owner, type, ttl, rdata);

    /// <summary>Adds a record to the authority section, such as the SOA of a denial, behind all answers.</summary>
    /// <inheritdoc cref="Add"/>
    public void AddAuthority(
        scoped ReadOnlySpan<byte> owner, RRType type, uint ttl, scoped ReadOnlySpan<byte> rdata) =>
        Writer.TryWriteRelayed(Section.Authority, owner, type, ttl, rdata);
}

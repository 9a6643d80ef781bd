namespace Dns.Answering.Deferring;

/// <summary>Why a source does not take over a query.</summary>
/// <param name="Reason">The extended error of a SERVFAIL.</param>
/// <param name="WantsProof">
/// Whether it has no room for clients whose address may be forged: they get TC, and room over TCP.
/// </param>
public readonly record struct DeferralRefusal(ExtendedErrorCode Reason, bool WantsProof = false);

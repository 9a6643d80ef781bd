namespace Dns.Dnssec.Signing;

/// <summary>A key failed to sign, or a zone cannot be signed by its plan. Caught in <see cref="ZoneSigner"/>.</summary>
internal sealed class SigningException(string message) : Exception(message);

namespace Dns.Dnssec;

/// <summary>A key did not sign, or a zone cannot be signed as the plan says. Never leaves <see cref="ZoneSigner"/>.</summary>
internal sealed class SigningException(string message) : Exception(message);

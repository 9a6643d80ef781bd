namespace Dns.Protocol.Tsig;

/// <summary>MAC algorithms (RFC 8945 §6).</summary>
public enum TsigAlgorithm : byte
{
    /// <summary>HMAC-MD5.SIG-ALG.REG.INT: for peers that support nothing else.</summary>
    HmacMd5,
    /// <summary>hmac-sha1: for peers that support nothing else.</summary>
    HmacSha1,
    /// <summary>hmac-sha256.</summary>
    HmacSha256,
    /// <summary>hmac-sha384.</summary>
    HmacSha384,
    /// <summary>hmac-sha512.</summary>
    HmacSha512,
}

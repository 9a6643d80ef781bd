namespace Dns.Bench;

/// <summary>A question and its expected answer.</summary>
internal readonly record struct Question(string Name, RRType Type, Expectation Expectation);

/// <summary>The expected answer.</summary>
internal enum Expectation : byte
{
    /// <summary>Anything; also an echo.</summary>
    Any,

    /// <summary>None: neither the answer nor its time counts.</summary>
    Unheeded,

    /// <summary>NOERROR with at least one record in the answer section.</summary>
    Positive,

    /// <summary>NOERROR, no answer, NS in the authority section.</summary>
    Referral,

    /// <summary>NOERROR, no answer, SOA in the authority section.</summary>
    NoData,

    /// <summary>NXDOMAIN.</summary>
    NameError,

    /// <summary>
    /// An MX whose preference is the last two octets of the exchange's address: both are of one version of the zone.
    /// </summary>
    OneVersion,
}

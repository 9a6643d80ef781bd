using Dns.Dnssec;
using Dns.Protocol;

namespace Dns.Management;

/// <summary>What an operator can do with the keys of a zone: of a running server, or of a folder. Thread-safe.</summary>
internal interface IKeyOperations
{
    /// <summary>The keys of a zone, and what comes next for each.</summary>
    /// <exception cref="OperationException">The zone has no keys here, or they cannot be read.</exception>
    KeyList List(DomainName zone);

    /// <summary>Has keys roll over before their lifetimes end.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="ksk">Whether the KSK or CSK is meant.</param>
    /// <param name="zsk">Whether the ZSK is meant. Neither = all keys.</param>
    /// <param name="algorithm">The algorithm that all keys are to have instead; null = as it is.</param>
    /// <returns>What is to come, in words.</returns>
    /// <exception cref="OperationException">It cannot be, or was not kept.</exception>
    string RollOver(DomainName zone, bool ksk, bool zsk, DnssecAlgorithm? algorithm);

    /// <summary>Says that the parent has the DS record that it is asked for.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="tag">The tag of the key; null = whichever is asked for.</param>
    /// <returns>What is known from now on, in words.</returns>
    /// <exception cref="OperationException">The parent is not asked for it, or it was not kept.</exception>
    string Submit(DomainName zone, ushort? tag);

    /// <summary>Makes a request for the coming key sets of a zone whose KSK is kept elsewhere.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="from">From when on; null = from the last slot that is loaded, or now.</param>
    /// <param name="until">Until when.</param>
    /// <returns>The text of the request.</returns>
    /// <exception cref="OperationException">It cannot be made.</exception>
    string Request(DomainName zone, DateTimeOffset? from, DateTimeOffset until);

    /// <summary>Takes a bundle of a KSK that is kept elsewhere.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="text">The text of the bundle.</param>
    /// <returns>What there is from now on, in words.</returns>
    /// <exception cref="OperationException">It is not taken, or was not kept.</exception>
    string LoadBundle(DomainName zone, string text);
}

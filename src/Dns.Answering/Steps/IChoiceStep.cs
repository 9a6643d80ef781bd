namespace Dns.Answering.Steps;

/// <summary>
/// Chooses among the members of an RRset when it is written, as an answer or as additional data, at names with the mark
/// <see cref="ChoiceMark"/>. Thread-safe; allocates nothing, never waits, never throws.
/// </summary>
/// <remarks>
/// Where signatures are written, the RRset stays whole, since they are over all of its records. Chosen members are
/// never cached as octets.
/// </remarks>
public interface IChoiceStep
{
    /// <summary>Whether there is a choice.</summary>
    static abstract bool HasChoice { get; }

    /// <summary>Chooses members of an RRset.</summary>
    /// <param name="node">The node of the RRset: the queried name, a wildcard, or the host of additional data.</param>
    /// <param name="choice">Receives the members, in the order in which they are written.</param>
    /// <returns>False if the RRset is written as it is.</returns>
    bool TryChoose(
        scoped in ChoiceQuery query, scoped ZoneNode node, scoped RRset rrset, scoped ref Choice choice);
}

namespace Dns.Answering.Steps;

/// <summary>
/// The steps that features add to the ladder: a policy, a choice among the members of RRsets, and a trace. A type
/// parameter of the responder: what is absent compiles away.
/// </summary>
public interface IAnswerSteps : IPolicyStep, IChoiceStep, IResolutionTrace;

/// <summary>
/// No steps. Stands for one that is absent, too, in <see cref="AnswerSteps{TPolicy, TChoice, TTrace}"/>.
/// </summary>
public readonly struct NoSteps : IAnswerSteps
{
    /// <inheritdoc/>
    public static bool HasPolicy => false;

    /// <inheritdoc/>
    public static bool HasChoice => false;

    /// <inheritdoc/>
    public static bool IsTraced => false;

    /// <inheritdoc/>
    public PolicyVerdict OnQuery(scoped in PolicyQuery query, scoped ref PolicyReply reply) => PolicyVerdict.Pass;

    /// <inheritdoc/>
    public PolicyVerdict OnForwarded(
        scoped in PolicyQuery query, scoped RecordReader answer, scoped ref PolicyReply reply) => PolicyVerdict.Pass;

    /// <inheritdoc/>
    public bool TryChoose(
        scoped in ChoiceQuery query, scoped ZoneNode node, scoped RRset rrset, scoped ref Choice choice) => false;

    /// <inheritdoc/>
    public void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode)
    {
    }

    /// <inheritdoc/>
    public void OnPolicy(scoped ref readonly LookupName name, PolicyVerdict verdict)
    {
    }

    /// <inheritdoc/>
    public void OnElsewhere(scoped ref readonly LookupName name)
    {
    }

    /// <inheritdoc/>
    public void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot)
    {
    }

    /// <inheritdoc/>
    public void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot)
    {
    }

    /// <inheritdoc/>
    public void OnLookup(
        scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone, scoped LookupResult found)
    {
    }
}

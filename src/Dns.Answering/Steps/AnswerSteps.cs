namespace Dns.Answering.Steps;

/// <summary>Joins a policy, a choice and a trace; <see cref="NoSteps"/> stands for one that is absent.</summary>
public readonly struct AnswerSteps<TPolicy, TChoice, TTrace>(TPolicy policy, TChoice choice, TTrace trace)
    : IAnswerSteps
    where TPolicy : struct, IPolicyStep
    where TChoice : struct, IChoiceStep
    where TTrace : struct, IResolutionTrace
{
    /// <inheritdoc/>
    public static bool HasPolicy => TPolicy.HasPolicy;

    /// <inheritdoc/>
    public static bool HasChoice => TChoice.HasChoice;

    /// <inheritdoc/>
    public static bool IsTraced => TTrace.IsTraced;

    /// <inheritdoc/>
    public PolicyVerdict OnQuery(scoped in PolicyQuery query, scoped ref PolicyReply reply) =>
        policy.OnQuery(in query, ref reply);

    /// <inheritdoc/>
    public PolicyVerdict OnForwarded(
        scoped in PolicyQuery query, scoped RecordReader answer, scoped ref PolicyReply reply) =>
        policy.OnForwarded(in query, answer, ref reply);

    /// <inheritdoc/>
    public bool TryChoose(
        scoped in ChoiceQuery query, scoped ZoneNode node, scoped RRset rrset, scoped ref Choice choices) =>
        choice.TryChoose(in query, node, rrset, ref choices);

    /// <inheritdoc/>
    public void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode) =>
        trace.OnMetaType(in name, apexOf, rcode);

    /// <inheritdoc/>
    public void OnPolicy(scoped ref readonly LookupName name, PolicyVerdict verdict) =>
        trace.OnPolicy(in name, verdict);

    /// <inheritdoc/>
    public void OnElsewhere(scoped ref readonly LookupName name) => trace.OnElsewhere(in name);

    /// <inheritdoc/>
    public void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot) =>
        trace.OnNoZone(in name, zoneSlot);

    /// <inheritdoc/>
    public void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot) => trace.OnDenied(in name, zoneSlot);

    /// <inheritdoc/>
    public void OnLookup(
        scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone, scoped LookupResult found) =>
        trace.OnLookup(in name, zoneSlot, zone, found);
}

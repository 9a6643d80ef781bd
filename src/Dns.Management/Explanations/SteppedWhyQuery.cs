namespace Dns.Management.Explanations;

/// <summary>A <see cref="WhyQuery"/> of a server with a policy or a choice.</summary>
public sealed class SteppedWhyQuery<TPolicy, TChoice>(
    LiveResponder responder, IFeatureStatus? features, TPolicy policy, TChoice choice) : WhyQuery(responder, features)
    where TPolicy : struct, IPolicyStep
    where TChoice : struct, IChoiceStep
{
    /// <inheritdoc/>
    protected override int Respond(Responder apart, Span<byte> room, int queryOctets, ref QueryOrigin origin,
        ref ExplainingSource source, TraceTo trace) =>
        apart.Respond(room, queryOctets, ref origin, null, ref source,
            new AnswerSteps<TPolicy, TChoice, TraceTo>(policy, choice, trace));
}

namespace Dns.Dnssec.Tests;

/// <summary>Keys that tests share, which are made once, and plans with them.</summary>
internal static class Plans
{
    /// <summary>The moment of tests that need one.</summary>
    internal static DateTimeOffset Now { get; } = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    internal static SigningKey Csk { get; } = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);

    internal static SigningKey Ksk { get; } = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);

    internal static SigningKey Zsk { get; } = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);

    internal static SigningKey NextKsk { get; } = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);

    internal static SigningKey NextZsk { get; } = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);

    /// <summary>A plan with one key for everything.</summary>
    internal static SigningPlan OneKey(DenialPlan? denial = null) => With([Csk], [Csk], denial);

    internal static SigningPlan With(IReadOnlyList<SigningKey> keySigners, IReadOnlyList<SigningKey> zoneSigners,
        DenialPlan? denial = null) =>
        new()
        {
            Published = [.. keySigners.Concat(zoneSigners).Select(key => key.Public).Distinct()],
            KeySigners = keySigners,
            ZoneSigners = zoneSigners,
            Denial = denial ?? DenialPlan.Nsec,
        };

    internal static DenialPlan Denial(string name) => name switch
    {
        "nsec" => DenialPlan.Nsec,
        "nsec3" => DenialPlan.Nsec3,
        "opt-out" => DenialPlan.Nsec3OptOut,
        "iterated" => DenialPlan.Hashed(50, [], optsOut: false),
        _ => DenialPlan.Hashed(5, [0xAB, 0xCD], optsOut: false),
    };
}

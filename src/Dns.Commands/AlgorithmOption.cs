namespace Dns.Commands;

/// <summary>The option --algorithm: an algorithm that this machine can sign with.</summary>
internal sealed class AlgorithmOption : Option<string?>
{
    public const DnssecAlgorithm Default = DnssecAlgorithm.EcdsaP256Sha256;

    public AlgorithmOption() : base("--algorithm", "-a")
    {
        string names = string.Join(", ", DnssecAlgorithms.SigningNames);
        Description = $"The algorithm of a new key: {names}. Default: {DnssecAlgorithms.NameOf(Default)}.";
        HelpName = "ALGORITHM";
        CompletionSources.Add([.. DnssecAlgorithms.SigningNames]);
        Validators.Add(result =>
        {
            foreach (var token in result.Tokens)
                if (!DnssecAlgorithms.TryParse(token.Value, out DnssecAlgorithm algorithm) ||
                    !DnssecAlgorithms.CanSign(algorithm))
                    result.AddError(
                        $"\"{token.Value}\" is not a supported algorithm: expected one of {names}");
        });
    }

    /// <summary>The given algorithm; null if none.</summary>
    public DnssecAlgorithm? Read(ParseResult result) =>
        result.GetValue(this) is { } text && DnssecAlgorithms.TryParse(text, out DnssecAlgorithm algorithm)
            ? algorithm : null;
}

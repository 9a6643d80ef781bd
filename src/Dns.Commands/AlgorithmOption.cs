using System.CommandLine;
using Dns.Dnssec;

namespace Dns.Commands;

/// <summary>The option --algorithm: one that keys are made of on this machine.</summary>
internal sealed class AlgorithmOption : Option<string?>
{
    /// <summary>The algorithm where none is given.</summary>
    public const DnssecAlgorithm Default = DnssecAlgorithm.EcdsaP256Sha256;

    /// <summary>Makes the option.</summary>
    public AlgorithmOption() : base("--algorithm", "-a")
    {
        string names = string.Join(", ", DnssecAlgorithms.SigningNames);
        Description = $"The algorithm of a new key: {names}. Without it {DnssecAlgorithms.NameOf(Default)}.";
        HelpName = "ALGORITHM";
        CompletionSources.Add([.. DnssecAlgorithms.SigningNames]);
        Validators.Add(result =>
        {
            foreach (var token in result.Tokens)
                if (!DnssecAlgorithms.TryParse(token.Value, out DnssecAlgorithm algorithm) || !DnssecAlgorithms.CanSign(algorithm))
                    result.AddError($"\"{token.Value}\" is not an algorithm that keys are made of here: expected one of {names}");
        });
    }

    /// <summary>The algorithm given; null if none was.</summary>
    public DnssecAlgorithm? Read(ParseResult result) =>
        result.GetValue(this) is { } text && DnssecAlgorithms.TryParse(text, out DnssecAlgorithm algorithm) ? algorithm : null;
}

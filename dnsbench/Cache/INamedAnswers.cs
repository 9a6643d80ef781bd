namespace Dns.Bench;

/// <summary>Answers kept by number.</summary>
internal interface INamedAnswers
{
    /// <summary>Stores what an upstream would say.</summary>
    void Store(long number);

    /// <summary>Asks; whether there was an answer.</summary>
    bool Ask(long number);
}

namespace Dns.Bench;

/// <summary>Counts user-space instructions of the calling thread.</summary>
internal interface IInstructionCounter
{
    /// <summary>Runs an action and returns its instructions, including the few of counting itself.</summary>
    long Count(Action action);
}

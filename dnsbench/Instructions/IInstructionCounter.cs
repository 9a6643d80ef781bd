namespace Dns.Bench;

/// <summary>Counts user-space instructions of the calling thread.</summary>
internal interface IInstructionCounter
{
    /// <summary>Does something and returns the instructions that it took, with those few that counting itself takes.</summary>
    long Count(Action action);
}

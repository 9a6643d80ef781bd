namespace Dns.Answering.Planning;

/// <summary>Where an answer begins that may lead from served to forwarded names and back.</summary>
internal enum ChainStart : byte
{
    /// <summary>The question's name is in a served zone.</summary>
    Served,

    /// <summary>The question's own name is forwarded.</summary>
    Forwarded,
}

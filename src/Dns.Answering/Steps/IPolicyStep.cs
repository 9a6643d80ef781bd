namespace Dns.Answering.Steps;

/// <summary>
/// Decides about queries before their lookup, and about what another server answered before it is given. Thread-safe;
/// allocates nothing, never waits, never throws.
/// </summary>
public interface IPolicyStep
{
    /// <summary>Whether there is a policy.</summary>
    static abstract bool HasPolicy { get; }

    /// <summary>
    /// Decides about a name before its lookup: that of the question, and each forwarded one to which aliases of served
    /// zones lead. A deferred query passes it again when its answer is there.
    /// </summary>
    /// <param name="reply">Empty; counts if the verdict is <see cref="PolicyVerdict.Reply"/>.</param>
    PolicyVerdict OnQuery(scoped in PolicyQuery query, scoped ref PolicyReply reply);

    /// <summary>Decides about records of another server, or of the cache, before they are given.</summary>
    /// <param name="answer">
    /// Those of the answer section. Read them before the first record of the reply is written, which may overwrite
    /// them.
    /// </param>
    /// <param name="reply">As above.</param>
    PolicyVerdict OnForwarded(
        scoped in PolicyQuery query, scoped RecordReader answer, scoped ref PolicyReply reply);
}

/// <summary>What a policy decides.</summary>
public enum PolicyVerdict : byte
{
    /// <summary>The query is answered as without the policy.</summary>
    Pass,

    /// <summary>The reply of the policy is the answer.</summary>
    Reply,

    /// <summary>Over UDP TC without records; <see cref="Pass"/> over other transports.</summary>
    Truncate,

    /// <summary>No reply is sent.</summary>
    Drop,
}

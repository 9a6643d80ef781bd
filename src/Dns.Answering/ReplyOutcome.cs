namespace Dns.Answering;

/// <summary>What became of a message: a reply over its octets, none, or one that follows along its path.</summary>
public readonly record struct ReplyOutcome
{
    private const int LaterValue = -1, PassedValue = -2;

    private readonly int _octets;

    private ReplyOutcome(int octets) => _octets = octets;

    /// <summary>No reply is sent.</summary>
    public static ReplyOutcome None => default;

    /// <summary>The reply path was taken: the reply is sent along it, possibly already.</summary>
    public static ReplyOutcome Deferred => new(LaterValue);

    /// <summary>The message is unchanged, and the next step answers it.</summary>
    public static ReplyOutcome NotHandled => new(PassedValue);

    /// <summary>The length of the reply in octets; 0 for none or a deferred one.</summary>
    public int Octets => _octets > 0 ? _octets : 0;

    /// <summary>Whether there is a reply to send now.</summary>
    internal bool IsReply => _octets > 0;

    /// <summary>Whether the reply follows later.</summary>
    public bool IsDeferred => _octets == LaterValue;

    /// <summary>Whether a step or handler has answered the message.</summary>
    public bool IsHandled => _octets != PassedValue;

    /// <summary>A reply.</summary>
    /// <param name="octets">Its length in octets; 0 for none.</param>
    public static ReplyOutcome Of(int octets) => new(octets);

    /// <summary><see cref="Octets"/>.</summary>
    public static implicit operator int(ReplyOutcome outcome) => outcome.Octets;
}

namespace Dns.Answering;

/// <summary>
/// The responder of this moment. Settings that change while the server runs come with another one; an answer uses
/// it once for a message or a batch.
/// </summary>
public sealed class LiveResponder(Responder first)
{
    private volatile Responder _current = first;

    /// <summary>What answers.</summary>
    public Responder Current
    {
        get => _current;
        set => _current = value;
    }
}

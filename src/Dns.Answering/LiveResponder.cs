namespace Dns.Answering;

/// <summary>The current responder. A settings reload replaces it; read it once for a message or a batch.</summary>
public sealed class LiveResponder(Responder first)
{
    private volatile Responder _current = first;

    /// <summary>The responder.</summary>
    public Responder Current
    {
        get => _current;
        set => _current = value;
    }
}

namespace Dns.Forwarding.Upstreams;

/// <summary>Closes a removed upstream once every question that may wait for it has ended.</summary>
internal sealed class UpstreamRetirement(Upstream upstream, Action<UpstreamRetirement> ended) : WheelNode, IDisposable
{
    public override void Fire(int generation)
    {
        Dispose();
        ended(this);
    }

    public void Dispose() => upstream.Dispose();
}

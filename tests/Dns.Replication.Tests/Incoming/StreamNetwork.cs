namespace Dns.Replication.Tests;

/// <summary>A network whose streams are made by a test.</summary>
/// <param name="datagrams">Its datagrams; null = none are opened.</param>
/// <param name="isShared">Whether operations complete on threads that others need.</param>
internal sealed class StreamNetwork(
    Func<PeerAddress, IByteStream> make, IOutgoingNetwork? datagrams = null, bool isShared = false) : IOutgoingNetwork
{
    public bool CompletesOnSharedThreads => isShared;

    public IDatagramPath? OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault) =>
        datagrams!.OpenDatagrams(server, localPort, receiver, out fault);

    public IByteStream MakeStream(PeerAddress server) => make(server);
}

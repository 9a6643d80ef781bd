using System.Net;

namespace Dns.Bench;

/// <summary>Runs a plan on a thread of its own, pinned where the plan says so.</summary>
internal static class Load
{
    /// <summary>Runs to the end and returns what came of it.</summary>
    internal static LoadResult Run(LoadPlan plan)
    {
        LoadResult? result = null;
        Exception? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                if (plan.Processor >= 0) LinuxSockets.TryPinThread(plan.Processor);
                result = RunHere(plan);
            }
            catch (Exception error)
            {
                failure = error;
            }
        });
        thread.Start();
        thread.Join();
        return result ?? throw new InvalidOperationException(failure?.Message, failure);
    }

    private static LoadResult RunHere(LoadPlan plan)
    {
        if (plan.Tcp)
        {
            using TcpLoad tcp = new(plan);
            return tcp.Run();
        }
        using UdpLoad udp = new(plan);
        return udp.Run();
    }

    /// <summary>The server of a command line; another machine's only if that was said explicitly.</summary>
    internal static IPEndPoint Target(string text, bool allowRemote)
    {
        if (!IPEndPoint.TryParse(text, out IPEndPoint? server))
            throw new UsageException($"\"{text}\" is no address and port");
        if (!IPAddress.IsLoopback(server.Address) && !allowRemote)
            throw new UsageException($"{server} is not on loopback; --allow-remote says that its owner agrees");
        if (server.Port == 0) server.Port = 53;
        return server;
    }
}

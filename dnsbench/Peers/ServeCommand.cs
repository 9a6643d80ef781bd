using System.Net;

namespace Dns.Bench;

/// <summary>
/// The command <c>serve</c>: the listeners and the responder alone, without the server's settings, log and
/// control.
/// </summary>
internal static class ServeCommand
{
    internal static BenchCommand Command { get; } = new(
        "serve", "listeners and responder without the server around them, for the comparison",
        new OptionSet(
            ("listen", "127.0.0.1:5300", "address and port"),
            ("listener", "auto", "auto, batched, portable"),
            ("workers", "1", "receive loops"),
            ("no-segments", OptionSet.Switch, "no UDP segmentation offload"),
            ("zone", "", "NAME=FILE")),
        Run);

    private static async Task<int> Run(OptionValues options)
    {
        string[] zone = options["zone"].Split('=', 2);
        if (zone.Length != 2) throw new UsageException("--zone wants NAME=FILE");
        if (!Enum.TryParse(options["listener"], ignoreCase: true, out UdpListenerKind kind))
            throw new UsageException($"no listener \"{options["listener"]}\"");
        TransportOptions transport = new()
        {
            Listeners = [IPEndPoint.Parse(options["listen"])], UdpListener = kind, Workers = options.Int("workers"),
            SegmentationOffload = !options.Has("no-segments"),
        };
        await using ListenerSet listeners = ListenerSet.Bind(transport, out IReadOnlyList<BindFailure> failures);
        if (failures.Count > 0) throw new UsageException(failures[0].ToString());
        listeners.Start(new DirectResponder(BenchZone.Responder(BenchZone.LoadFile(zone[0], zone[1]))));
        foreach (string note in listeners.Notes) Console.WriteLine(note);
        Console.WriteLine($"{listeners.UdpListener} on {listeners.EndPoints[0]}");
        // Until a signal ends the process.
        await Task.Delay(Timeout.Infinite);
        return 0;
    }
}

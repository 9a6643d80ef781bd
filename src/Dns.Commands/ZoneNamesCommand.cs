using System.Buffers;
using System.Text.Json;

namespace Dns.Commands;

/// <summary>
/// <c>dnsd zone-names [BEGINNING]</c>, hidden, for shell completion: prints names of zones of the running servers,
/// within a second, and nothing on any error.
/// </summary>
internal static class ZoneNamesCommand
{
    public const string Name = "zone-names";

    private const int MaxNames = 200;
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(1);

    // A shell may expand what it is offered: names with other characters are left out.
    private static readonly SearchValues<char> Harmless =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./");

    public static Command Create()
    {
        Argument<string?> beginning = new("BEGINNING") { Arity = ArgumentArity.ZeroOrOne };
        Option<string[]> socket = new("--socket");
        Command command =
            new(Name, "Prints zones of the running servers for the completion of shells.") { beginning, socket };
        command.Hidden = true;
        command.SetAction(async (result, cancellation) =>
        {
            using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            deadline.CancelAfter(MaxWait);
            string text = result.GetValue(beginning) ?? "";
            string[] named = result.GetValue(socket) ?? [];
            try
            {
                // On another thread, since connecting to a socket may block.
                Task<IEnumerable<string>> search = Task.Run(
                    () => FindAsync(named.Length > 0 ? named : ControlClient.FindServers(), text, deadline.Token),
                    CancellationToken.None);
                IEnumerable<string> names = await search.WaitAsync(deadline.Token);
                foreach (string name in names) result.InvocationConfiguration.Output.WriteLine(name);
            }
            catch (Exception error) when (error is ControlException or OperationCanceledException or JsonException)
            {
                // Completion shows no errors: it offers nothing.
            }
            return ExitCode.Good;
        });
        return command;
    }

    /// <summary>Queries control sockets for names with a prefix.</summary>
    internal static async Task<IEnumerable<string>> FindAsync(
        IReadOnlyList<string> paths, string beginning, CancellationToken cancellation)
    {
        SortedSet<string> names = new(StringComparer.Ordinal);
        foreach (string path in paths)
        {
            await using Stream stream = await ControlClient.ConnectAsync(path, cancellation);
            ControlRequest request = new("zones")
            {
                Arguments = [MaxNames.ToString(CultureInfo.InvariantCulture), null, beginning],
                WantsData = true,
            };
            ControlReply reply = await ControlClient.SendAsync(path, stream, request, cancellation);
            if (reply.Data?.Deserialize(ControlJson.Default.ZonePage) is not { } list) continue;
            foreach (ZoneStatus zone in list.Zones)
                if (!zone.Name.AsSpan().ContainsAnyExcept(Harmless))
                    names.Add(zone.Name.Length == 1 ? "." : zone.Name[..^1]);
        }
        return names;
    }
}

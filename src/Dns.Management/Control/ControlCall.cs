using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Dns.Protocol;

namespace Dns.Management;

/// <summary>One request on its way through a command.</summary>
internal sealed class ControlCall(ControlRequest request, CancellationToken cancellation)
{
    /// <summary>Ends when the server does.</summary>
    public CancellationToken Cancellation { get; } = cancellation;

    /// <summary>What is done once the answer has been sent; null = nothing.</summary>
    public Action? Afterwards { get; set; }

    /// <summary>What to do.</summary>
    public string Command => request.Command;

    /// <summary>An argument; null if it was left out.</summary>
    public string? Argument(int index) => index < request.Arguments.Count ? request.Arguments[index] : null;

    /// <summary>Whether an argument says yes.</summary>
    public bool IsSet(int index) => Argument(index) == "true";

    /// <summary>An argument that is a domain name.</summary>
    /// <exception cref="ControlException">It is none.</exception>
    public DomainName Name(int index) =>
        Argument(index) is { } text && ZonesSetting.TryParseName(text, out DomainName? name)
            ? name : throw new ControlException($"\"{Argument(index)}\" is not a domain name");

    /// <summary>Makes the answer in the form that is wanted.</summary>
    /// <param name="data">The answer.</param>
    /// <param name="type">How it is written as JSON.</param>
    /// <param name="write">Writes it for people.</param>
    public ControlReply Reply<T>(T data, JsonTypeInfo<T> type, Action<TextWriter> write)
    {
        if (request.WantsData) return new ControlReply { Data = JsonSerializer.SerializeToElement(data, type) };
        StringWriter text = new();
        write(text);
        return new ControlReply { Text = text.ToString() };
    }

    /// <summary>Gives a text as it is, without an end of line of its own.</summary>
    public ControlReply Text(string text) => Reply(new Done(text), ControlJson.Default.Done, output => output.Write(text));

    /// <summary>Says in one line what was done.</summary>
    public ControlReply Done(string what) => Reply(new Done(what), ControlJson.Default.Done, text => text.WriteLine(what));
}

/// <summary>What was done.</summary>
/// <param name="Message">One line.</param>
internal sealed record Done(string Message);

/// <summary>A request that fails; the message is for the client.</summary>
internal sealed class ControlException(string message) : Exception(message);

using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Dns.Management.Control;

/// <summary>One request of the control socket.</summary>
public sealed class ControlCall(ControlRequest request, CancellationToken cancellation)
{
    /// <summary>Cancelled when the server stops.</summary>
    public CancellationToken Cancellation { get; } = cancellation;

    /// <summary>Called after the answer was sent; null = nothing.</summary>
    public Action? Afterwards { get; set; }

    public string Command => request.Command;

    /// <summary>The view that the command is about; null = the default one, or all.</summary>
    public string? View => request.View;

    /// <summary>An argument; null if omitted.</summary>
    public string? Argument(int index) => index < request.Arguments.Count ? request.Arguments[index] : null;

    public bool IsSet(int index) => Argument(index) == "true";

    /// <summary>An argument as a domain name.</summary>
    /// <exception cref="ControlException">It is not one.</exception>
    public DomainName Name(int index) =>
        Argument(index) is { } text && ZonesSetting.TryParseName(text, out DomainName? name)
            ? name : throw new ControlException($"\"{Argument(index)}\" is not a domain name");

    /// <summary>Makes the answer in the requested form.</summary>
    public ControlReply Reply<T>(T data, JsonTypeInfo<T> type, Action<TextWriter> write)
    {
        if (request.WantsData) return new ControlReply { Data = JsonSerializer.SerializeToElement(data, type) };
        StringWriter text = new();
        write(text);
        return new ControlReply { Text = text.ToString() };
    }

    /// <summary>Returns a text, without a trailing end of line.</summary>
    public ControlReply Text(string text) =>
        Reply(new Done(text), ControlJson.Default.Done, output => output.Write(text));

    /// <summary>Reports a completed action in one line.</summary>
    public ControlReply Done(string what) =>
        Reply(new Done(what), ControlJson.Default.Done, text => text.WriteLine(what));
}

/// <summary>A completed action, in one line.</summary>
public sealed record Done(string Message);

/// <summary>A failed request; the message is for the client.</summary>
public sealed class ControlException(string message) : Exception(message);

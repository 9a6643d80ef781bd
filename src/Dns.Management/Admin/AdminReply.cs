using System.Buffers;
using Microsoft.AspNetCore.Http;

namespace Dns.Management.Admin;

/// <summary>Sends replies of the admin port, each complete before it is sent: a slow client delays no other.</summary>
public static class AdminReply
{
    public const string PlainText = "text/plain; charset=utf-8", Json = "application/json; charset=utf-8";

    public static Task SendAsync(HttpContext context, string type, Action<IBufferWriter<byte>> write)
    {
        ArrayBufferWriter<byte> content = new(16 * 1024);
        write(content);
        return SendAsync(context, type, content.WrittenMemory);
    }

    /// <summary>Sends content; for HEAD only its length.</summary>
    public static async Task SendAsync(HttpContext context, string type, ReadOnlyMemory<byte> content)
    {
        HttpResponse response = context.Response;
        response.ContentType = type;
        response.ContentLength = content.Length;
        if (HttpMethods.IsHead(context.Request.Method)) return;
        try
        {
            await response.Body.WriteAsync(content, context.RequestAborted).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The client is gone, or reads too slowly.
        }
    }

    /// <summary>Sends a status code with its reason in one line, and closes the connection.</summary>
    public static Task RefuseAsync(HttpContext context, int code, string reason)
    {
        context.Response.StatusCode = code;
        context.Response.Headers.Connection = "close";
        return SendAsync(context, PlainText, Encoding.UTF8.GetBytes(reason + "\n"));
    }
}
